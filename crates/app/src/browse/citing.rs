//! The other answers that rest on a source: from a citation to everyone who cites the same node.

use archive::{Cursor, MessageId, Reader, RecordId};
use moca::standing::standing;

use super::{conversations::title, count, not_held, row, transcript::markers};
use crate::{
    App,
    answer::{Answer, basis, reading},
    contract::{CitingAnswer, CitingPage, CitingQuery, Failure},
    derive::{record::moca_instant, when::instant},
    failure::Storage,
};

/// Answers of one page: each is drawn to find where it mentions the source.
const PAGE_ANSWERS: u32 = 50;

/// Characters of an answer in which a mention is looked for.
const LOOKED_AT: u32 = 64 << 10;

/// Characters of an answer that mentions its source nowhere.
const EXCERPT: usize = 160;

impl App {
    pub(super) fn read_citing(&self, query: &CitingQuery) -> Result<CitingPage, Failure> {
        let now = moca_instant(instant(self.now()));
        let record = RecordId(row(&query.record)?);
        let except = query.except.as_deref().map(row).transpose()?.map(MessageId);
        let cursor = query.cursor.as_deref().map(Cursor::from_text);
        let limit = query.limit.unwrap_or(PAGE_ANSWERS).clamp(1, PAGE_ANSWERS);
        self.read(|reader| {
            let record = reader.record(record).storage()?.ok_or_else(|| not_held("record"))?;
            let Some(node) = record.node else {
                return Ok(CitingPage { answers: Vec::new(), next: None });
            };
            let page = reader.citing_answers(node, except, cursor.as_ref(), limit).storage()?;
            let answers = page
                .rows
                .iter()
                .filter_map(|citing| answer(reader, citing, now).transpose())
                .collect::<Result<_, _>>()?;
            Ok(CitingPage { answers, next: page.next.map(|next| next.to_string()) })
        })
    }
}

/// One of the answers; none when it went away meanwhile.
fn answer(
    reader: &Reader,
    citing: &archive::CitingAnswer,
    now: moca::Instant,
) -> Result<Option<CitingAnswer>, Failure> {
    let (Some(message), Some(record), Some(event)) = (
        reader.message(citing.message, LOOKED_AT).storage()?,
        reader.record(citing.record).storage()?,
        reader.citation_event(citing.event).storage()?,
    ) else {
        return Ok(None);
    };
    let Some(conversation) = reader.conversation(message.conversation).storage()? else {
        return Ok(None);
    };
    let cited = Answer::read(reader, message.id, false, now)?;
    let places = render::answer(&message.text, &markers(&cited)).places;
    let mention = places.into_iter().find(|place| place.citation == citing.number);
    let excerpt = mention.map_or_else(
        || render::plain_line(&message.text.chars().take(EXCERPT).collect::<String>()),
        |place| place.excerpt,
    );
    let worst = standing(&reading(&record), &basis(&event), now).worst().clone();
    Ok(Some(CitingAnswer {
        conversation: conversation.id.to_string(),
        title: title(&conversation),
        service: conversation.service.as_ref().map(|service| render::plain_line(&service.name)),
        message: message.id.to_string(),
        place: count(reader.message_place(message.id).storage()?.unwrap_or(0)),
        citation: citing.number,
        excerpt,
        worst,
    }))
}
