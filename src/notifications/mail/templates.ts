/** The templates of mails: Liquid files beside this one, which designers edit. See docs/operators/mail.md. */
import path from 'node:path';
import { Liquid } from 'liquidjs';

const root = path.join(__dirname, 'templates');
/** A variable or filter that does not exist is an error, which the tests of the templates find. */
const common = { root, cache: true, strictVariables: true, strictFilters: true };

/** Everything a template puts out is escaped. */
const html = new Liquid({ ...common, extname: '.html', outputEscape: 'escape' });
const text = new Liquid({ ...common, extname: '.txt' });

/** A mail as the templates `subject.txt`, `<name>.txt` and `<name>.html` make it. */
export async function renderMail(
  name: string,
  variables: object,
): Promise<{ subject: string; text: string; html: string }> {
  const subject = oneLine(await render(text, 'subject', variables));
  const all = { ...variables, subject };
  return { subject, text: tidy(await render(text, name, all)), html: await render(html, name, all) };
}

async function render(engine: Liquid, name: string, variables: object): Promise<string> {
  return (await engine.renderFile(name, variables)) as string;
}

/** The names of products come from suppliers: whatever parts lines in them does not part headers. */
function oneLine(subject: string): string {
  return subject.replace(/[\s\p{Cc}\u2028\u2029]+/gu, ' ').trim();
}

/** Lines that hold nothing but tags leave empty ones behind: of several, one is kept. */
function tidy(rendered: string): string {
  return `${rendered
    .replace(/[ \t]+$/gm, '')
    .replace(/\n{3,}/g, '\n\n')
    .trim()}\n`;
}
