//! Every command of the contract as a command of the window.

use app::contract::*;
use tauri::{State, ipc::Invoke};

use crate::{desktop, open_archive::OpenArchive};

macro_rules! window_commands {
    ($($name:ident, $request:ty, $response:ty, $what:literal;)*) => {
        $(
            #[doc = $what]
            #[tauri::command(async)]
            fn $name(open: State<'_, OpenArchive>, request: $request) -> Result<$response, Failure> {
                open.app().$name(request)
            }
        )*

        /// Answers the window's calls.
        pub(crate) fn handler() -> impl Fn(Invoke) -> bool + Send + Sync + 'static {
            tauri::generate_handler![
                $($name,)*
                desktop::choose_files,
                desktop::choose_folder,
                desktop::choose_export_path,
                desktop::open_link,
                desktop::startup_files,
                desktop::open_sample,
                desktop::close_sample
            ]
        }
    };
}

app::commands!(window_commands);
