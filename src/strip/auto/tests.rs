//! Promises of the method.
