//! A scratch folder that goes when its value is dropped, and when the process dies.

use std::path::{Path, PathBuf};

use crate::{Program, SandboxError};

/// A folder for files that nobody needs later.
#[derive(Debug)]
pub struct ScratchFolder {
    path: PathBuf,
    /// A program that has long ended; its supervisor removes the folder.
    janitor: Program,
}

impl ScratchFolder {
    /// Makes a folder with a name of its own in the system's folder for temporary files.
    ///
    /// # Errors
    /// When it cannot be made.
    pub fn build(prefix: &str) -> Result<Self, SandboxError> {
        let folder = tempfile::Builder::new()
            .prefix(prefix)
            .tempdir()
            .map_err(SandboxError::io("making a scratch folder"))?;
        let nothing = ["true".to_owned()];
        let janitor = Program::start(&nothing, Path::new("/dev/null"), Some(folder.path()))?;
        Ok(Self { path: folder.keep(), janitor })
    }

    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Leaves it where it is.
    ///
    /// # Errors
    /// When the supervising shell cannot be spoken to.
    pub fn keep(self) -> Result<PathBuf, SandboxError> {
        self.janitor.keep()?;
        Ok(self.path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_goes_with_its_value_unless_kept() {
        let folder = ScratchFolder::build("anabranch-test-").unwrap();
        let path = folder.path().to_owned();
        std::fs::write(path.join("file"), "text").unwrap();
        drop(folder);
        assert!(!path.exists());

        let kept = ScratchFolder::build("anabranch-test-").unwrap().keep().unwrap();
        assert!(kept.exists());
        std::fs::remove_dir_all(kept).unwrap();
    }
}
