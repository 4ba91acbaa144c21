"""Why a query matches a publication, or does not: `explaining` finds out, `explanation` is what it says."""
