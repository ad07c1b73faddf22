//! `note`: what the user says of a record, node, package, run or source.

statements! {
    INSERT = "INSERT INTO note (subject, key, kind, text, made_at) VALUES (?1, ?2, ?3, ?4, ?5)";
    OF_SUBJECT = "SELECT id, kind, text, made_at FROM note WHERE subject = ?1 AND key = ?2 ORDER BY id LIMIT 200";
}
