/** The page about this service: docs/clients/about.md with the facts of the settings. */
import { gzipSync } from 'node:zlib';
import { escapeHtml } from '../../domain/escape-html';
import { pageFile, type PageFile } from '../../page-files/page-files';
import type { About } from '../../settings/about-settings';

/** The forms of the page, and how each writes a row of the table and a fact in it. */
const forms = [
  { name: 'about.html', row: /<tr><td>[^<]*<\/td><td>\{\{(\w+)\}\}<\/td><\/tr>\n?/g, shown: escapedForHtml },
  { name: 'about.md', row: /^.*\{\{(\w+)\}\} \|\n/gm, shown: escapedForMarkdown },
];

/** The guides, with the stated facts in the page about this service. Its rows without a stated fact are left out. */
export function withAbout(guides: ReadonlyMap<string, PageFile>, about: About): ReadonlyMap<string, PageFile> {
  const facts = new Map(Object.entries(about));
  const filled = forms.map(({ name, row, shown }): [string, PageFile] => {
    const file = guides.get(name);
    if (!file) throw new Error(`The build has no page ${name}`);
    const text = file.body.toString().replace(row, (whole, key: string) => {
      const fact = facts.get(key);
      return fact === undefined ? '' : whole.replace(`{{${key}}}`, () => shown(fact));
    });
    const body = Buffer.from(text);
    return [name, pageFile(file.type, body, { gzip: gzipSync(body) })];
  });
  return new Map([...guides, ...filled]);
}

/** An address is a link. */
function escapedForHtml(fact: string): string {
  const text = escapeHtml(fact);
  return /^https:\/\/\S+$/.test(fact) ? `<a href="${text}">${text}</a>` : text;
}

function escapedForMarkdown(text: string): string {
  return text.replace(/[\\`*_{}[\]<>|#!]/g, (character) => `\\${character}`);
}
