//! Search with a gate that always comes last (`facts/moca-reader §9.2`).
