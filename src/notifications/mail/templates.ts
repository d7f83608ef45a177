/** The templates of mails: Liquid files in `templates/`, which designers edit. docs/operators/mail.md. */
import path from 'node:path';
import { Liquid } from 'liquidjs';

const root = path.join(__dirname, 'templates');
/** An unknown variable or filter is an error, which the tests of the templates find. */
const common = { root, cache: true, strictVariables: true, strictFilters: true };

/** Escapes every value. */
const html = new Liquid({ ...common, extname: '.html', outputEscape: 'escape' });
const text = new Liquid({ ...common, extname: '.txt' });

/** Renders the templates `subject.txt`, `<name>.txt` and `<name>.html`. */
export async function renderMail(
  name: string,
  variables: object,
): Promise<{ subject: string; text: string; html: string }> {
  const subject = oneLine(await render(text, 'subject', variables));
  const all = { ...variables, subject };
  return { subject, text: tidy(await render(text, name, all)), html: await render(html, name, all) };
}

async function render(engine: Liquid, name: string, variables: object): Promise<string> {
  return String(await engine.renderFile(name, variables));
}

/** Replaces line breaks, which a supplier's product name may contain and which would split the header. */
function oneLine(subject: string): string {
  return subject.replace(/[\s\p{Cc}\u2028\u2029]+/gu, ' ').trim();
}

/** Replaces several empty lines with one. Lines that contain only tags are rendered as empty lines. */
function tidy(rendered: string): string {
  return `${rendered
    .replace(/[ \t]+$/gm, '')
    .replace(/\n{3,}/g, '\n\n')
    .trim()}\n`;
}
