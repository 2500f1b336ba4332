//! The `unhusk` program. Everything it does is in the library; here are the exit codes.

use std::process::ExitCode;

fn main() -> ExitCode {
    unhusk::cli::main()
}
