//! The order in which sources are read that have threads in common, so that the order of import does not matter.
//!
//! What a run becomes can depend on the runs that are held before it: it joins the conversation of its parent, is told to
//! be held already, or to have other bytes than a held one. All of that is between runs of one stated thread, so sources
//! that share no thread never meddle with each other. Those that do, a *family*, are always read in one order: parents
//! first, then by the earliest time that a run states, by name, by hash. As a rule that is the order in which they are
//! imported, and nothing is to be done. Where it is not, the family is derived again in its order at the end of the import.

use std::collections::{BTreeMap, BTreeSet};

use archive::{Batch, Instant, Rebuild, Relative, Sha256, SourceId, Writer};

use crate::{App, contract::Failure, failure::Storage, jobs::Job, maintain::derive_again};

/// Setting with the sources that were taken in since all was in order, as JSON.
const UNSETTLED: &str = "sources-to-settle";

/// Notes a source that shares threads with others, before it is complete: until its family is in order.
pub(crate) fn note(batch: &mut Batch, source: SourceId) -> Result<(), Failure> {
    if !batch.shares_a_thread(source).storage()? {
        return Ok(());
    }
    let mut noted = noted(batch)?;
    if noted.insert(source) {
        keep(batch, &noted)?;
    }
    Ok(())
}

/// Brings the families of noted sources into order, at the end of an import.
pub(crate) fn settle(app: &App, writer: &mut Writer, job: &Job) -> Result<(), Failure> {
    if writer.setting(UNSETTLED).storage()?.is_none() {
        return Ok(());
    }
    let mut again = writer.begin_again().storage()?;
    settle_in(app, &mut again, job)?;
    again.finish().storage()
}

/// The same within a transaction that is open.
pub(crate) fn settle_in(app: &App, again: &mut Rebuild<'_>, job: &Job) -> Result<(), Failure> {
    let mut open = noted(again)?;
    if open.is_empty() {
        return Ok(());
    }
    let mut left = BTreeSet::new();
    while let Some(first) = open.first().copied() {
        let family = again.family(first).storage()?;
        let (here, others) =
            open.into_iter().partition(|id| family.iter().any(|r| r.source == *id));
        open = others;
        let here: BTreeSet<SourceId> = here;
        if family.iter().all(|relative| relative.complete) {
            derive_family(app, again, &family, &here, job)?;
        } else {
            // One of them is still on its way in.
            left.extend(here);
        }
    }
    keep(again, &left)
}

fn derive_family(
    app: &App,
    again: &mut Rebuild<'_>,
    family: &[Relative],
    new: &BTreeSet<SourceId>,
    job: &Job,
) -> Result<(), Failure> {
    let wanted = in_order(family.iter());
    let mut present = in_order(family.iter().filter(|relative| !new.contains(&relative.source)));
    present.extend(new);
    if present == wanted {
        return Ok(());
    }
    let former = again.forget(&wanted).storage()?;
    for id in wanted {
        let source = app
            .read(|reader| reader.source(id).storage())?
            .ok_or_else(|| Failure::internal("A source that is to be read again is not held"))?;
        job.check()?;
        job.tell(|state| state.doing = format!("Reading {} again", source.name));
        derive_again(app, again, &source, job)?;
    }
    again.give_ids_back(former).storage()
}

/// What orders sources of which none holds parents of another: those that state no time come last.
type Rank<'r> = (bool, Option<Instant>, &'r str, Sha256);

fn rank(relative: &Relative) -> Rank<'_> {
    (relative.first_at.is_none(), relative.first_at, &relative.name, relative.sha256)
}

/// Parents first, then by [`Rank`]; where parents go in a circle, the first by rank breaks it.
fn in_order<'r>(family: impl Iterator<Item = &'r Relative>) -> Vec<SourceId> {
    let family: BTreeMap<SourceId, &Relative> = family.map(|r| (r.source, r)).collect();
    let mut parents: BTreeMap<SourceId, usize> = BTreeMap::new();
    let mut children: BTreeMap<SourceId, Vec<SourceId>> = BTreeMap::new();
    for (source, relative) in &family {
        let held = relative.parents.iter().filter(|parent| family.contains_key(parent));
        parents.insert(*source, held.clone().count());
        held.for_each(|parent| children.entry(*parent).or_default().push(*source));
    }
    let mut waiting: BTreeMap<Rank<'_>, SourceId> =
        family.iter().map(|(source, relative)| (rank(relative), *source)).collect();
    let mut free: BTreeMap<Rank<'_>, SourceId> = BTreeMap::new();
    let mut order = Vec::with_capacity(family.len());
    waiting.retain(|rank, source| {
        let bound = parents.get(source).is_some_and(|count| *count > 0);
        if !bound {
            free.insert(*rank, *source);
        }
        bound
    });
    while let Some((_, source)) = free.pop_first().or_else(|| waiting.pop_first()) {
        order.push(source);
        for child in children.remove(&source).unwrap_or_default() {
            let Some(count) = parents.get_mut(&child) else { continue };
            *count = count.saturating_sub(1);
            if *count == 0
                && let Some(relative) = family.get(&child)
                && waiting.remove(&rank(relative)).is_some()
            {
                free.insert(rank(relative), child);
            }
        }
    }
    order
}

fn noted(batch: &Batch) -> Result<BTreeSet<SourceId>, Failure> {
    let Some(text) = batch.setting(UNSETTLED).storage()? else { return Ok(BTreeSet::new()) };
    let ids: Vec<i64> = serde_json::from_str(&text)
        .map_err(|_| Failure::internal("The list of sources to read again cannot be read"))?;
    Ok(ids.into_iter().map(SourceId).collect())
}

fn keep(batch: &mut Batch, sources: &BTreeSet<SourceId>) -> Result<(), Failure> {
    let ids: Vec<i64> = sources.iter().map(|source| source.0).collect();
    let text = serde_json::to_string(&ids)
        .map_err(|_| Failure::internal("The list of sources to read again could not be written"))?;
    batch.keep_setting(UNSETTLED, (!ids.is_empty()).then_some(text.as_str())).storage()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn relative(source: i64, first_at: Option<i64>, parents: &[i64]) -> Relative {
        Relative {
            source: SourceId(source),
            first_at: first_at.map(Instant),
            name: format!("{source}.jsonl"),
            sha256: Sha256::of(&source.to_be_bytes()),
            complete: true,
            parents: parents.iter().copied().map(SourceId).collect(),
        }
    }

    fn ids(family: &[Relative]) -> Vec<i64> {
        in_order(family.iter()).into_iter().map(|source| source.0).collect()
    }

    #[test]
    fn parents_come_first_then_times_then_names() {
        let family = [
            relative(1, None, &[]),
            relative(2, Some(5), &[4]),
            relative(3, Some(3), &[]),
            relative(4, Some(9), &[9]),
            relative(5, None, &[2]),
        ];
        assert_eq!(ids(&family), [3, 4, 2, 1, 5]);
    }

    #[test]
    fn a_circle_of_parents_is_broken_by_rank() {
        let family =
            [relative(1, Some(2), &[2]), relative(2, Some(1), &[1]), relative(3, Some(0), &[1])];
        assert_eq!(ids(&family), [3, 2, 1]);
    }
}
