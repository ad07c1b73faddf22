//! `setting`: what the user chose for this archive, as JSON texts by key.

statements! {
    GET = "SELECT value FROM setting WHERE key = ?1";
    SET = "INSERT INTO setting (key, value) VALUES (?1, ?2) ON CONFLICT (key) DO UPDATE SET value = excluded.value";
    REMOVE = "DELETE FROM setting WHERE key = ?1";
}
