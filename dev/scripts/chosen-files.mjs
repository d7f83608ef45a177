/** Chooses test files of those that CI leaves out, by the files that changed. */

/**
 * `count` different files, in random sequence: at most all but one are of entries with a changed subject, and the rest of any.
 * `entries`: those of `leftOut`, each with its `files`. `changed`: paths from the root of the repository. `random`: from 0 to below 1.
 */
export function chooseFiles(entries, changed, count, random = Math.random) {
  const near = entries.filter((entry) => isAbout(entry, changed));
  const ofChanged = shuffled(filesOf(near), random).slice(0, count - 1);
  const others = shuffled(
    filesOf(entries).filter((file) => !ofChanged.includes(file)),
    random,
  );
  return [...ofChanged, ...others.slice(0, count - ofChanged.length)];
}

/** Whether one of the changed files is a subject of the entry, or one of its tests. */
function isAbout({ subjects, files }, changed) {
  return changed.some(
    (path) => files.includes(path) || subjects.some((subject) => path === subject || path.startsWith(`${subject}/`)),
  );
}

const filesOf = (entries) => entries.flatMap(({ files }) => files);

function shuffled(files, random) {
  return files
    .map((file) => ({ file, place: random() }))
    .sort((one, other) => one.place - other.place)
    .map(({ file }) => file);
}
