// SPDX-License-Identifier: BSL-1.0
//! Runs a tool that you do not trust, and prints what it was refused.
//!
//!     untrusted FOLDER TOOL [ARGUMENT...]
//!
//! The tool may read the system's programs and write FOLDER. Ends with the status of the tool.
use std::ffi::{CStr, CString};
use std::os::raw::{c_char, c_int, c_void};
use std::ptr::{null, null_mut};

/// `cordon_request` of cordon.h.
#[repr(C)]
struct Request {
    size: usize,
    policy: *const c_void,
    argv: *const *const c_char,
    directory: *const c_char,
    environment: *const *const c_char,
    input: *const c_char,
    input_size: usize,
    timeout_ms: u64,
    accepted_gaps: *const *const c_char,
    on_output: Option<extern "C" fn(*mut c_void, c_int, *const c_char, usize)>,
    user: *mut c_void,
}

#[link(name = "cordon")]
extern "C" {
    fn cordon_free(text: *mut c_char);
    fn cordon_policy_parse(text: *const c_char, size: usize, name: *const c_char, error: *mut *mut c_char) -> *mut c_void;
    fn cordon_policy_free(policy: *mut c_void);
    fn cordon_run_to_end(request: *const Request, report: *mut *mut c_char, error: *mut *mut c_char) -> c_int;
}

/// The text of the library, which is then freed.
fn taken(text: *mut c_char) -> String {
    if text.is_null() {
        return String::new();
    }
    let copy = unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned();
    unsafe { cordon_free(text) };
    copy
}

/// The status and the report of a run, or why there is none.
fn run(policy: &str, folder: &str, argv: &[String]) -> Result<(i32, String), String> {
    let (mut error, mut report) = (null_mut(), null_mut());
    let parsed = unsafe { cordon_policy_parse(policy.as_ptr().cast(), policy.len(), null(), &mut error) };
    if parsed.is_null() {
        return Err(taken(error));
    }
    let words: Vec<CString> = argv.iter().map(|word| CString::new(word.as_str()).expect("no zero byte")).collect();
    let mut list: Vec<*const c_char> = words.iter().map(|word| word.as_ptr()).collect();
    list.push(null());
    let directory = CString::new(folder).expect("no zero byte");
    let request = Request {
        size: std::mem::size_of::<Request>(),
        policy: parsed,
        argv: list.as_ptr(),
        directory: directory.as_ptr(),
        environment: null(),
        input: null(),
        input_size: 0,
        timeout_ms: 60_000,
        accepted_gaps: null(),
        on_output: None,
        user: null_mut(),
    };
    let status = unsafe { cordon_run_to_end(&request, &mut report, &mut error) };
    unsafe { cordon_policy_free(parsed) };
    if status < 0 { Err(taken(error)) } else { Ok((status, taken(report))) }
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if arguments.len() < 2 {
        eprintln!("untrusted FOLDER TOOL [ARGUMENT...]");
        std::process::exit(2);
    }
    let folder = &arguments[0];
    let policy = format!("level process_exec\nrun /usr\nwrite \"{folder}\"\nnetwork none\npass PATH LANG\n");
    let status = match run(&policy, folder, &arguments[1..]) {
        Err(why) => {
            eprintln!("untrusted: {why}");
            125
        }
        Ok((status, report)) => {
            // A program with a JSON reader takes `denials` from it; here each entry is a line.
            let denials = report.lines().skip_while(|line| !line.contains("\"denials\": ["));
            denials.skip(1).take_while(|line| line.starts_with("    {")).for_each(|line| println!("refused: {}", line.trim()));
            status
        }
    };
    std::process::exit(status);
}
