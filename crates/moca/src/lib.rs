//! MOCA citation vocabulary: records, refs, citation events, standing.
