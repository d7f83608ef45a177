/**
 * Renders the clients' pages into `dist/docs/guides`: each as HTML and as Markdown, their list as a page and as llms.txt, and the
 * index of their search. docs/developers/api-reference.md#client-guides.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, normalize } from 'node:path';
import { Marked } from 'marked';

/** Pages outside docs/clients to which those link, with their names below `/docs`. */
const others = {
  'docs/specification.md': 'specification',
  'packages/client/README.md': 'client-library-usage',
  'CHANGELOG.md': 'changelog',
};

/** The sources of the pages. `dev/scripts/build.mjs` renders them again when one changes. */
export const guideSources = ['docs/clients', 'docs/README.md', ...Object.keys(others)];

const service = 'Digital Goods Ordering Service';

/**
 * Writes the pages. `folder`: of the pages. `assetOf` returns the address of a file of the page template; `addAsset` stores a text
 * under a name with its digest and returns its address.
 */
export function renderGuides({ root, folder, template, assetOf, addAsset }) {
  mkdirSync(folder, { recursive: true });
  const pages = listedPages(root);
  const names = new Map(pages.map(({ source, name }) => [source, name]));
  const sections = [];
  const rendered = pages.map((page) => ({ ...page, ...rendering(page, names, sections) }));
  const index = addAsset('search-index.json', JSON.stringify(sections));
  const html = (name, title, content) =>
    template
      .replace('./search-index.json', index)
      .replace(/(?<=")\.\/([\w.-]+)/g, (_, file) => assetOf(file))
      .replace('{{title}}', escaped(`${title} - ${service}`))
      .replace('{{links}}', () => linksOf(rendered, name))
      .replace('{{content}}', () => content);
  for (const { name, title, text, content } of rendered) {
    writeFileSync(join(folder, `${name}.html`), html(name, title, content));
    writeFileSync(join(folder, `${name}.md`), text);
  }
  writeFileSync(join(folder, 'guides.html'), html('guides', 'Guides', overview(rendered)));
  writeFileSync(join(folder, 'llms.txt'), listForTools(rendered));
}

/** The pages in the order of docs/README.md, which also has their descriptions. */
function listedPages(root) {
  const list = readFileSync(join(root, 'docs/README.md'), 'utf8');
  const rows = [...list.matchAll(/^\| \[[^\]]+\]\(([^)]+\.md)\) \| (.+) \|$/gm)].map(
    ([, path, description]) => ({
      source: normalize(join('docs', path)),
      description,
    }),
  );
  const isServed = ({ source }) => dirname(source) === 'docs/clients' || source in others;
  const isClients = ({ source }) => dirname(source) === 'docs/clients';
  const served = rows.filter(isServed).sort((a, b) => Number(isClients(b)) - Number(isClients(a)));
  const missing = Object.keys(others).filter((source) => !served.some((page) => page.source === source));
  if (missing.length > 0) throw new Error(`docs/README.md does not list ${missing.join(', ')}`);
  return served.map((page) => {
    const text = readFileSync(join(root, page.source), 'utf8');
    const [, title] = /^# (.+)$/m.exec(text);
    return { ...page, text, title: plain(title), name: others[page.source] ?? basename(page.source, '.md') };
  });
}

/** The HTML of a page, and its Markdown with links that work below `/docs`. Adds its sections to the search index. */
function rendering({ source, name, title, text }, names, sections) {
  const addresses = { of: (target) => addressOf(target, source, names) };
  const marked = new Marked({ renderer: rendererOf(addresses, anchors()) });
  collectSections(marked.lexer(text), { name, title }, sections);
  return {
    content: marked.parse(text),
    text: text.replace(/\[([^\][]*)\]\(([^)\s]+)\)/g, (_, label, target) => {
      const address = addresses.of(target);
      return address === undefined ? label : `[${label}](${address.replace(/^\/docs\/[\w-]+/, '$&.md')})`;
    }),
  };
}

/** The address of a link's target; undefined if the service does not serve it. */
function addressOf(target, source, names) {
  if (/^[a-z]+:/.test(target)) return target;
  const [path, anchor] = target.split('#');
  const file = path === '' ? source : normalize(join(dirname(source), path));
  if (file === 'docs/clients/openapi.json') return '/openapi.json';
  const name = names.get(file);
  if (name === undefined) return undefined;
  return `/docs/${name}${anchor === undefined ? '' : `#${anchor}`}`;
}

/** Headings with the anchors that GitHub gives them; wide blocks that scroll, also with the keyboard. */
function rendererOf(addresses, anchorOf) {
  return {
    heading({ tokens, depth, text }) {
      return `<h${depth} id="${anchorOf(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
    },
    link({ href, tokens }) {
      const text = this.parser.parseInline(tokens);
      const address = addresses.of(href);
      return address === undefined ? text : `<a href="${escaped(address)}">${text}</a>`;
    },
    code({ text, lang }) {
      const label = lang ? `Example (${escaped(lang)})` : 'Example';
      return `<pre tabindex="0" role="group" aria-label="${label}"><code>${escaped(text)}</code></pre>\n`;
    },
    table(token) {
      const cell = (content, tag) => `<${tag}>${content}</${tag}>`;
      const row = (cells, tagOf) =>
        `<tr>${cells.map(({ tokens, text }) => cell(this.parser.parseInline(tokens), tagOf(text))).join('')}</tr>`;
      const rows = token.rows.map((cells) => row(cells, () => 'td')).join('\n');
      // An empty cell heads nothing.
      const head = `<thead>${row(token.header, (text) => (text === '' ? 'td' : 'th'))}</thead>`;
      return `<div class="table" tabindex="0" role="group" aria-label="Table"><table>${head}<tbody>${rows}</tbody></table></div>\n`;
    },
  };
}

/** The anchors of a page's headings, each unique. */
function anchors() {
  const seen = new Map();
  return (heading) => {
    const anchor = heading
      .trim()
      .toLowerCase()
      .replace(/[^\p{Letter}\p{Number}\s_-]/gu, '')
      .replace(/\s/g, '-');
    const times = seen.get(anchor) ?? 0;
    seen.set(anchor, times + 1);
    return times === 0 ? anchor : `${anchor}-${times}`;
  };
}

function collectSections(tokens, { name, title }, sections) {
  const anchorOf = anchors();
  for (const token of tokens) {
    if (token.type === 'heading') {
      const id = `/docs/${name}#${anchorOf(token.text)}`;
      sections.push({ id, page: title, heading: plain(token.text), text: '' });
    } else if (sections.length > 0) sections.at(-1).text += ` ${plain(token.raw)}`;
  }
}

/** Markdown without its marks, for search and titles. */
function plain(text) {
  return text
    .replace(/\[([^\]]+)\]\([^)]*\)/g, '$1')
    .replace(/[`*|#>]+/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

function linksOf(pages, current) {
  return [{ name: 'guides', title: 'All guides' }, ...pages]
    .map(({ name, title }) => {
      const mark = name === current ? ' aria-current="page"' : '';
      return `<li><a href="/docs/${name}"${mark}>${escaped(title)}</a></li>`;
    })
    .join('\n');
}

function overview(pages) {
  const items = pages.map(
    ({ name, title, description }) =>
      `<li><a href="/docs/${name}">${escaped(title)}</a>: ${escaped(plain(description))}</li>`,
  );
  return [
    '<h1>Guides</h1>',
    '<p>From the first order to production. The <a href="/docs">API reference</a> describes every operation, and',
    '<a href="/openapi.json">openapi.json</a> is the same as an OpenAPI 3.1 document.</p>',
    `<ul>${items.join('\n')}</ul>`,
    '<p>Tools find these pages as Markdown: <a href="/llms.txt">llms.txt</a>.</p>',
  ].join('\n');
}

/** The list in the form of llmstxt.org. */
function listForTools(pages) {
  const items = pages.map(
    ({ name, title, description }) => `- [${title}](/docs/${name}.md): ${plain(description)}`,
  );
  return [
    `# ${service}`,
    '',
    '> Sells gift vouchers, top-ups and eSIM data plans to API clients over REST. Orders are paid from prepaid wallets.',
    '',
    '## API',
    '',
    '- [OpenAPI 3.1 document](/openapi.json): every operation, response, error and event',
    '',
    '## Guides',
    '',
    ...items,
    '',
  ].join('\n');
}

function escaped(text) {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
