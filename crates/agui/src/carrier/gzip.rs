//! gzip, of one or several members.

use std::io::{self, BufRead, BufReader, Read};

use flate2::bufread::GzDecoder;

use super::CarrierError;
use crate::container::Content;
use crate::limits::{MAX_GZIP_RATIO, RATIO_FREE_BYTES};

/// What a gzip begins with.
pub(super) const MAGIC: [u8; 2] = [0x1f, 0x8b];

/// The content of a gzip.
pub(super) struct Gzip {
    member: Option<GzDecoder<BufReader<Counted>>>,
    written: u64,
}

impl Gzip {
    pub(super) fn new(source: Content) -> Self {
        let source = BufReader::new(Counted { source, read: 0 });
        Self { member: Some(GzDecoder::new(source)), written: 0 }
    }

    /// Goes on to the next member, over the zeros that tapes and some tools put at the end.
    fn next_member(&mut self) -> io::Result<()> {
        let Some(member) = self.member.take() else { return Ok(()) };
        let mut source = member.into_inner();
        loop {
            let bytes = source.fill_buf()?;
            let Some(&first) = bytes.first() else { return Ok(()) };
            if first != 0 {
                break;
            }
            let zeros = bytes.iter().take_while(|&&byte| byte == 0).count();
            source.consume(zeros);
        }
        if source.fill_buf()?.first() != Some(&MAGIC[0]) {
            return Err(CarrierError::DamagedGzip("other bytes behind its end".to_owned()).into());
        }
        self.member = Some(GzDecoder::new(source));
        Ok(())
    }
}

impl Read for Gzip {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while let Some(member) = &mut self.member {
            let read = member.read(buffer).map_err(|error| match error.kind() {
                io::ErrorKind::UnexpectedEof => CarrierError::TruncatedGzip.into(),
                io::ErrorKind::InvalidInput | io::ErrorKind::InvalidData => {
                    CarrierError::DamagedGzip(error.to_string()).into()
                }
                _ => error,
            })?;
            self.written += read as u64;
            let taken = member.get_ref().get_ref().read;
            if self.written > RATIO_FREE_BYTES && self.written / taken.max(1) > MAX_GZIP_RATIO {
                return Err(CarrierError::Bomb.into());
            }
            if read > 0 || buffer.is_empty() {
                return Ok(read);
            }
            self.next_member()?;
        }
        Ok(0)
    }
}

/// Counts the compressed bytes.
struct Counted {
    source: Content,
    read: u64,
}

impl Read for Counted {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.source.read(buffer)?;
        self.read += read as u64;
        Ok(read)
    }
}
