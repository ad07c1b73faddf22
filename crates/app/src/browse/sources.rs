//! The Sources panel, single records, and citation events that no message shows.

use archive::{CitationEvent, ConversationId, FindingFilter, Message, MessageId, Reader, RecordId};
use moca::record::{Reading, Reference};

use super::{
    conversations::messages_only,
    count,
    findings::finding_row,
    not_held,
    raw::{fields, raw_text},
    transcript::markers,
};
use crate::{
    App,
    answer::{Answer, Cited, computed_at, known, reading},
    contract::{
        AnswerSources, Failure, OtherSource, Place, RecordDetail, SourceCard, UnplacedCitation,
        UnplacedCitations,
    },
    derive::{
        record::moca_instant,
        when::{instant, rfc3339},
    },
    failure::Storage,
};

/// Sources of other conventions that are shown.
const MAX_OTHERS: u32 = 100;

/// Sources of one answer that have a card; the answer's own line counts all of them.
const MAX_CARDS: usize = 200;

/// Findings shown beside an answer.
const MAX_FINDINGS: u32 = 50;

/// Citation events without a message that are shown.
const MAX_UNPLACED: u32 = 200;

/// Places of one source in an answer that are listed.
const MAX_PLACES: usize = 50;

impl App {
    pub(super) fn read_sources(&self, id: MessageId) -> Result<AnswerSources, Failure> {
        let now = moca_instant(instant(self.now()));
        self.read(|reader| {
            let message =
                reader.message(id, u32::MAX).storage()?.ok_or_else(|| not_held("message"))?;
            let only = messages_only(reader, message.conversation)?;
            let answer = Answer::read(reader, id, only, now)?;
            let (held_since, held_since_kind) =
                held_since(reader, &message, answer.event.as_ref())?;
            let places = render::answer(&message.text, &markers(&answer)).places;
            let findings = reader
                .findings(
                    &FindingFilter { message: Some(id), ..FindingFilter::default() },
                    None,
                    MAX_FINDINGS,
                )
                .storage()?;
            Ok(AnswerSources {
                message: id.to_string(),
                state: answer.state(),
                sentence: match answer.cited.len() > MAX_CARDS {
                    true => format!("{} The first {MAX_CARDS} are shown.", answer.state_sentence()),
                    false => answer.state_sentence(),
                },
                computed_at: answer.computed_at(),
                computed_at_note: (answer.event.is_some() && answer.computed_at().is_none())
                    .then(|| "The service did not say when.".to_owned()),
                held_since: rfc3339(held_since),
                held_since_kind: held_since_kind.to_owned(),
                items: answer
                    .cited
                    .iter()
                    .take(MAX_CARDS)
                    .map(|cited| card(reader, cited, &places))
                    .collect::<Result<_, _>>()?,
                replaced_events: answer.replaced,
                others: others(reader, &message)?,
                findings: findings.rows.into_iter().map(finding_row).collect(),
            })
        })
    }

    pub(super) fn read_record(&self, id: RecordId) -> Result<RecordDetail, Failure> {
        self.read(|reader| {
            let record = reader.record(id).storage()?.ok_or_else(|| not_held("record"))?;
            let read = reading(&record);
            let mut remarks = Vec::new();
            match &read {
                Reading::Invalid(invalid) => {
                    remarks.extend(invalid.violations.iter().map(ToString::to_string));
                }
                Reading::Valid(valid) => {
                    remarks.extend(valid.contradictions.iter().cloned());
                    remarks.extend(valid.unknown_members.iter().map(|path| {
                        format!(
                            "{} is newer than this app knows; it is kept.",
                            render::plain_line(path)
                        )
                    }));
                }
            }
            let raw = String::from_utf8_lossy(&record.json).into_owned();
            Ok(RecordDetail {
                id: id.to_string(),
                fields: fields(&raw),
                raw,
                record_sha256: read.record_sha256().map(str::to_owned),
                remarks,
            })
        })
    }

    pub(super) fn read_unplaced(&self, id: ConversationId) -> Result<UnplacedCitations, Failure> {
        self.read(|reader| {
            let page = reader.unplaced_citation_events(id, None, MAX_UNPLACED).storage()?;
            let events = page
                .rows
                .iter()
                .filter(|event| !replaced(event))
                .map(|event| {
                    let raw = raw_text(reader, event.source, event.at.clone())?;
                    Ok(UnplacedCitation {
                        state: event.state.word().to_owned(),
                        sentence: known(event).sentence(),
                        message_id: event.stated_message_id.clone(),
                        computed_at: computed_at(event),
                        citations: count(event.citations),
                        raw: raw.text,
                    })
                })
                .collect::<Result<_, Failure>>()?;
            Ok(UnplacedCitations { events })
        })
    }
}

/// Whether an event belongs to a held message that shows a later one in its place: it is told there.
pub(crate) fn replaced(event: &CitationEvent) -> bool {
    use archive::CitationState;
    let readable = matches!(event.state, CitationState::Applied | CitationState::Empty);
    readable && event.message.is_some() && !event.shown
}

/// When the recording was received, as its recorder noted, else when it was imported: never passed off as the time of computing.
pub(crate) fn held_since(
    reader: &Reader,
    message: &Message,
    event: Option<&CitationEvent>,
) -> Result<(archive::Instant, &'static str), Failure> {
    if let Some(event) = event {
        return Ok(match event.received_at {
            Some(at) => (at, "received"),
            None => (event.imported_at, "imported"),
        });
    }
    let source = reader.source(message.source).storage()?.ok_or_else(|| not_held("recording"))?;
    Ok((source.imported_at, "imported"))
}

fn card(reader: &Reader, cited: &Cited, places: &[render::Place]) -> Result<SourceCard, Failure> {
    let record = cited.citation.record.as_ref().ok_or_else(|| not_held("record"))?;
    let valid = cited.reading.valid();
    let title =
        valid.and_then(|record| record.node.title.clone()).or_else(|| record.node_path.clone());
    let node_ref = cited.reading.node_ref().map(str::to_owned);
    let others = match record.node {
        Some(node) => reader.answers_of_node(node).storage()?.saturating_sub(1),
        None => 0,
    };
    Ok(SourceCard {
        index: cited.citation.number,
        record: record.id.to_string(),
        marker: cited.citation.marker.as_deref().map(render::plain_line),
        title: title.map_or_else(
            || "Source without a title".to_owned(),
            |title| render::plain_line(&title),
        ),
        node_type: valid.map(|record| render::plain_line(&record.node.kind)),
        ref_rebuilt: valid
            .is_some_and(|record| matches!(record.node.reference, Reference::Rebuilt(_))),
        package: valid.map(|record| {
            package_name(record.package.id.as_str(), record.package.version.as_str())
        }),
        package_id: valid.map(|record| record.package.id.as_str().to_owned()),
        path: valid.map(|record| render::plain_line(record.node.path.as_str())),
        locale: valid.and_then(|record| record.node.locale.as_deref().map(render::plain_line)),
        record_sha256: cited.reading.record_sha256().map(str::to_owned),
        text_html: valid.and_then(|record| record.text.as_deref().map(render::record_text)),
        standing: cited.standing.clone(),
        places: places
            .iter()
            .filter(|place| place.citation == cited.citation.number)
            .take(MAX_PLACES)
            .map(|place| Place { place: place.place, excerpt: place.excerpt.clone() })
            .collect(),
        other_answers: count(others),
        repeats: cited.repeats,
        node_ref,
    })
}

/// What people call a package: the last part of its id, and its version.
pub(crate) fn package_name(id: &str, version: &str) -> String {
    let last = id.trim_end_matches('/').rsplit(['/', ':']).next().unwrap_or(id);
    render::plain_line(&format!("{last} {version}"))
}

/// Sources of an answer in other forms than citation records.
pub(crate) fn others(reader: &Reader, message: &Message) -> Result<Vec<OtherSource>, Failure> {
    let mut found = reader.foreign_sources_of_message(message.id, MAX_OTHERS).storage()?;
    let loose =
        reader.foreign_sources_of_conversation(message.conversation, MAX_OTHERS).storage()?;
    found.extend(loose.into_iter().filter(|source| source.run == message.run));
    Ok(found
        .into_iter()
        .map(|source| {
            let link = source.url.as_deref().and_then(|url| render::link(url).ok());
            let title =
                source.title.or(source.url).unwrap_or_else(|| "Source without a title".to_owned());
            OtherSource {
                title: render::plain_line(&title),
                url: link.as_ref().map(|link| link.ascii_url.clone()),
                host: link.map(|link| link.ascii_host),
                origin: source.origin,
            }
        })
        .collect())
}
