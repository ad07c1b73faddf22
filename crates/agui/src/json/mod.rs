//! JSON as bytes: checking, scanning and taking apart without a model and without recursion.
