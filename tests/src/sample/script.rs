//! How a conversation of the sample is written down: what is asked, looked up, said and cited, without ids, times and framing.

use moca_reader::Value;

/// A conversation and the recording it becomes.
pub(super) struct Script {
    /// Name of the recording; says what it is for.
    pub(super) file: &'static str,
    /// How it was saved.
    pub(super) container: Container,
    /// Address of the service.
    pub(super) endpoint: &'static str,
    /// What the service is built of, where the recorder knows it.
    pub(super) framework: &'static str,
    /// Stem of every id.
    pub(super) thread: &'static str,
    /// What its records and events look like.
    pub(super) generation: Generation,
    /// The runs, in order.
    pub(super) turns: Vec<Turn>,
}

/// How a recording was saved (`facts/agui §4`).
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Container {
    AguiJsonl,
    Har,
    Jsonl,
    /// What `curl -i -N` shows.
    SseWithHead,
    Messages,
}

/// Which AG-UI and which records a service speaks.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Generation {
    /// AG-UI 1.0; records of 0.4.
    Current,
    /// AG-UI 0.x; records from before `node.ref`.
    Older,
}

/// A node, by its versioned reference, in a language.
#[derive(Clone, Copy)]
pub(super) struct Source {
    pub(super) reference: &'static str,
    pub(super) locale: Option<&'static str>,
}

/// One run.
pub(super) struct Turn {
    /// When it starts; `computedAt` is written with the offset of this time.
    pub(super) at: &'static str,
    pub(super) question: Option<&'static str>,
    /// The run it continues, counted from 0.
    pub(super) parent: Option<usize>,
    /// Answers an interrupt of the run before.
    pub(super) resume: Option<&'static str>,
    /// Folders of the packages that the service has loaded.
    pub(super) loaded: &'static [&'static str],
    pub(super) steps: Vec<Step>,
}

/// What happens in a run.
pub(super) enum Step {
    Think(&'static str),
    LookUp {
        query: &'static str,
        found: Vec<Source>,
    },
    Call {
        name: &'static str,
        arguments: &'static str,
        result: Option<&'static str>,
    },
    Activity {
        kind: &'static str,
        content: &'static str,
    },
    ActivityPatch {
        kind: &'static str,
        patch: &'static str,
    },
    Say(&'static str),
    /// Says it without ending the message.
    Begin(&'static str),
    /// Ends what was begun.
    End,
    Cite(Cites),
    /// `{answer}` stands for the id of the last answer.
    State(&'static str),
    Custom {
        name: &'static str,
        value: &'static str,
    },
    /// A list of all messages in which the last answer has another id.
    Rename,
    Finish,
    Cancel,
    Fail {
        code: &'static str,
        message: &'static str,
    },
    Interrupt {
        reason: &'static str,
        message: &'static str,
    },
}

/// A citation event.
pub(super) struct Cites {
    pub(super) list: Vec<Cited>,
    pub(super) version: i64,
    /// Another message than the last answer.
    pub(super) message: Option<&'static str>,
    pub(super) computed: Computed,
}

/// What the event says of the time of computing.
#[derive(Clone, Copy)]
pub(super) enum Computed {
    /// The truth.
    Stated,
    WithoutOffset,
    /// A clock that is so many minutes ahead.
    Ahead(i64),
    Missing,
}

/// One entry of a citation event.
pub(super) struct Cited {
    pub(super) marker: Option<&'static str>,
    pub(super) source: Source,
    /// What a faulty service does to the record.
    pub(super) fault: Option<fn(&mut Value)>,
}

impl Cited {
    pub(super) fn spoilt(self, fault: fn(&mut Value)) -> Self {
        Self { fault: Some(fault), ..self }
    }
}

pub(super) fn cited(marker: &'static str, source: Source) -> Cited {
    Cited { marker: Some(marker), source, fault: None }
}

/// Cited by its reference in the text instead of a marker.
pub(super) fn unmarked(source: Source) -> Cited {
    Cited { marker: None, source, fault: None }
}

impl Cites {
    pub(super) fn of(list: impl Into<Vec<Cited>>) -> Self {
        Self { list: list.into(), version: 1, message: None, computed: Computed::Stated }
    }

    pub(super) fn version(self, version: i64) -> Self {
        Self { version, ..self }
    }

    pub(super) fn of_message(self, id: &'static str) -> Self {
        Self { message: Some(id), ..self }
    }

    pub(super) fn computed(self, computed: Computed) -> Self {
        Self { computed, ..self }
    }
}

impl Turn {
    pub(super) fn at(at: &'static str, loaded: &'static [&'static str]) -> Self {
        Self { at, question: None, parent: None, resume: None, loaded, steps: Vec::new() }
    }

    pub(super) fn asks(self, question: &'static str) -> Self {
        Self { question: Some(question), ..self }
    }

    pub(super) fn continues(self, parent: usize) -> Self {
        Self { parent: Some(parent), ..self }
    }

    pub(super) fn resumes(self, payload: &'static str) -> Self {
        Self { resume: Some(payload), ..self }
    }

    pub(super) fn then(mut self, step: Step) -> Self {
        self.steps.push(step);
        self
    }

    pub(super) fn thinks(self, text: &'static str) -> Self {
        self.then(Step::Think(text))
    }

    pub(super) fn looks_up(self, query: &'static str, found: impl Into<Vec<Source>>) -> Self {
        self.then(Step::LookUp { query, found: found.into() })
    }

    pub(super) fn says(self, text: &'static str) -> Self {
        self.then(Step::Say(text))
    }

    pub(super) fn cites(self, list: impl Into<Vec<Cited>>) -> Self {
        self.then(Step::Cite(Cites::of(list)))
    }

    pub(super) fn finishes(self) -> Self {
        self.then(Step::Finish)
    }
}
