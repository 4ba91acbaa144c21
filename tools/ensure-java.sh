#!/bin/sh
# Print the JAVA_HOME of a Java that Spark can run on, installing one where that is possible.
#
# Spark takes $JAVA_HOME/bin/java, or else the `java` of the PATH, and fails late and obscurely on one that is too old. So
# this looks at JAVA_HOME, then at the PATH, then at the places where packages put Java (a newer Java may be installed
# without being the default), and asks each for its version. Only then does it call apt-get.
# stdout has the directory and nothing else.
set -eu

WANTED=17
PACKAGES="openjdk-17-jre-headless openjdk-21-jre-headless default-jre-headless"
JVM_DIRS=${ENSURE_JAVA_JVM_DIRS-"/usr/lib/jvm /usr/java /opt/java /opt/jdk"}  # the tests set it

say() { echo "$@" >&2; }

# home_of JAVA: the home of that executable, if it runs and is new enough. Java is asked, rather than its path parsed,
# because /usr/bin/java may be a link, a wrapper or a shim.
home_of() {
    [ -x "$1" ] || return 1
    settings=$("$1" -XshowSettings:properties -version 2>&1) || return 1
    version=$(echo "$settings" | sed -n 's/^ *java\.specification\.version = //p')
    home=$(echo "$settings" | sed -n 's/^ *java\.home = //p')
    case $version in
        '' | *[!0-9]*) say "$1 is Java ${version:-of an unknown version}, too old: $WANTED or later is needed"; return 1 ;; # 1.8
    esac
    [ "$version" -ge "$WANTED" ] || { say "$1 is Java $version, too old: $WANTED or later is needed"; return 1; }
    [ -x "$home/bin/java" ] || return 1
    echo "$home"
}

find_java() {
    if [ -n "${JAVA_HOME:-}" ]; then
        home_of "$JAVA_HOME/bin/java" && return 0
        say "JAVA_HOME=$JAVA_HOME is of no use, looking elsewhere"
    fi
    java=$(command -v java) && home_of "$java" && return 0
    for directory in $JVM_DIRS; do
        for java in "$directory"/bin/java "$directory"/*/bin/java; do
            home_of "$java" 2>/dev/null && return 0
        done
    done
    return 1
}

# as_root COMMAND...: run it as root, or fail. sudo may ask for a password where somebody can answer.
as_root() {
    if [ "$(id -u)" -eq 0 ]; then
        "$@"
    elif command -v sudo >/dev/null; then
        if [ -t 0 ]; then sudo "$@"; else sudo -n "$@"; fi
    else
        say "neither root nor sudo here"
        return 1
    fi
}

install_java() {
    command -v apt-get >/dev/null || return 1
    say "no Java $WANTED or later found, installing one with apt-get"
    apt="env DEBIAN_FRONTEND=noninteractive apt-get -q -o DPkg::Lock::Timeout=120"
    # A fresh machine or image has no package lists. A broken third-party source should not stop us, so go on and see.
    as_root $apt update >&2 || say "apt-get update failed, trying with the package lists at hand"
    for package in $PACKAGES; do
        [ -n "$(apt-cache madison "$package" 2>/dev/null)" ] || continue
        as_root $apt install -y --no-install-recommends "$package" >&2 && return 0
    done
    return 1
}

find_java && exit 0
install_java && find_java && exit 0

say
say "Spark needs a Java runtime of version $WANTED or later, and none could be found or installed. Please install one:"
say "  Debian, Ubuntu:  sudo apt-get update && sudo apt-get install openjdk-17-jre-headless"
say "                   (Debian 13 and later: default-jre-headless)"
say "  Fedora, RHEL:    sudo dnf install java-21-openjdk-headless"
say "  macOS:           brew install openjdk@21"
say "or set JAVA_HOME to the directory of one that is already there (the one that contains bin/java)."
exit 1
