/**
 * Renders the clients' pages into `dist/docs/guides`: each as HTML and as Markdown, their list by task as a page and as llms.txt,
 * and the index of their search. docs/developers/api-reference.md#client-guides.
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
export const guideSources = ['docs/clients', 'docs/README.md', 'docs/images', ...Object.keys(others)];

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
  const addressOfImage = (file) => addAsset(basename(file), readFileSync(join(root, file)));
  const rendered = pages.map((page) => ({ ...page, ...rendering(page, names, sections, addressOfImage) }));
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

/** The HTML of one document, whose links to other documents are plain text. */
export function renderDocument({ root, source, template }) {
  const addresses = { of: (target) => (/^(#|https?:)/.test(target) ? target : undefined), ofImage: () => '' };
  const marked = new Marked({ renderer: rendererOf(addresses, anchors()) });
  const tokens = marked.lexer(readFileSync(join(root, source), 'utf8'));
  const content = marked.parser(tokens).replace('</h1>\n', (end) => end + contentsOf(tokens));
  return template.replace('{{content}}', () => content);
}

/** The pages in the order of docs/README.md, which also has their descriptions and the tasks that group them. */
function listedPages(root) {
  const [, list = ''] = readFileSync(join(root, 'docs/README.md'), 'utf8').split('\n## API clients\n');
  const rows = list
    .split(/^## /m)[0]
    .split(/^### /m)
    .slice(1)
    .flatMap((group) =>
      [...group.matchAll(/^\| \[[^\]]+\]\(([^)]+\.md)\) \| (.+) \|$/gm)].map(([, path, description]) => ({
        source: normalize(join('docs', path)),
        description,
        task: group.slice(0, group.indexOf('\n')),
      })),
    );
  const served = rows.filter(({ source }) => dirname(source) === 'docs/clients' || source in others);
  const missing = Object.keys(others).filter((source) => !served.some((page) => page.source === source));
  if (missing.length > 0) throw new Error(`docs/README.md does not list ${missing.join(', ')}`);
  return served.map((page) => {
    const text = readFileSync(join(root, page.source), 'utf8');
    const [, title] = /^# (.+)$/m.exec(text);
    return { ...page, text, title: plain(title), name: others[page.source] ?? basename(page.source, '.md') };
  });
}

/** The HTML of a page, and its Markdown with links that work below `/docs`. Adds its sections to the search index. */
function rendering({ source, name, title, text }, names, sections, addressOfImage) {
  const addresses = {
    of: (target) => addressOf(target, source, names),
    ofImage: (target) => addressOfImage(normalize(join(dirname(source), target))),
  };
  const marked = new Marked({ renderer: rendererOf(addresses, anchors()) });
  const tokens = marked.lexer(text);
  collectSections(tokens, { name, title }, sections);
  return {
    content: marked.parser(tokens).replace('</h1>\n', (end) => end + contentsOf(tokens)),
    text: text.replace(/!?\[([^\][]*)\]\(([^)\s]+)\)/g, (link, label, target) => {
      if (link.startsWith('!')) return `![${label}](${addresses.ofImage(target)})`;
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

/** Fewer sections than this need no list. */
const MIN_CONTENTS = 3;

/** Links to the sections of a page; empty for a short page. */
function contentsOf(tokens) {
  const anchorOf = anchors();
  const headings = tokens
    .filter(({ type }) => type === 'heading')
    .map(({ text, depth }) => ({ depth, text, anchor: anchorOf(text) }))
    .filter(({ depth }) => depth === 2);
  if (headings.length < MIN_CONTENTS) return '';
  const items = headings.map(({ text, anchor }) => `<li><a href="#${anchor}">${escaped(plain(text))}</a></li>`);
  return `<nav class="contents" aria-label="On this page"><ul>\n${items.join('\n')}\n</ul></nav>\n`;
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
    image({ href, text }) {
      const image = `<img src="${escaped(addresses.ofImage(href))}" alt="${escaped(text)}" />`;
      return `<span class="diagram" tabindex="0" role="group" aria-label="Diagram">${image}</span>`;
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

/** Markdown without its marks and without what a setting states, for search and titles. */
function plain(text) {
  return text
    .replace(/\{\{\w+\}\}/g, '')
    .replace(/\[([^\]]+)\]\([^)]*\)/g, '$1')
    .replace(/[`*|#>]+/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

/** The pages of each task, in their order. */
function byTask(pages) {
  const tasks = [...new Set(pages.map(({ task }) => task))];
  return tasks.map((task) => [task, pages.filter((page) => page.task === task)]);
}

function linksOf(pages, current) {
  const link = ({ name, title }) => {
    const mark = name === current ? ' aria-current="page"' : '';
    return `<li><a href="/docs/${name}"${mark}>${escaped(title)}</a></li>`;
  };
  const groups = byTask(pages).map(
    ([task, its]) => `<h2>${escaped(task)}</h2>\n<ul>\n${its.map(link).join('\n')}\n</ul>`,
  );
  return [`<ul>${link({ name: 'guides', title: 'All guides' })}</ul>`, ...groups].join('\n');
}

function overview(pages) {
  const item = ({ name, title, description }) =>
    `<li><a href="/docs/${name}">${escaped(title)}</a>: ${escaped(plain(description))}</li>`;
  const groups = byTask(pages).map(
    ([task, its]) => `<h2>${escaped(task)}</h2>\n<ul>\n${its.map(item).join('\n')}\n</ul>`,
  );
  return [
    '<h1>Guides</h1>',
    '<p>You need the address of this service, an API key and its secret. Begin with',
    '<a href="/docs/getting-started">getting started</a>, then read the guide to the product that you sell.</p>',
    ...groups,
    '<h2>Every operation</h2>',
    '<ul>',
    '<li><a href="/docs">API reference</a>: every operation, with a form that sends requests</li>',
    '<li><a href="/openapi.json">openapi.json</a>: the same as an OpenAPI 3.1 document</li>',
    '<li><a href="/llms.txt">llms.txt</a>: these pages as Markdown, for tools</li>',
    '</ul>',
  ].join('\n');
}

/** The list in the form of llmstxt.org. */
function listForTools(pages) {
  const item = ({ name, title, description }) => `- [${title}](/docs/${name}.md): ${plain(description)}`;
  return [
    `# ${service}`,
    '',
    '> Sells gift vouchers, top-ups and eSIM data plans to API clients over REST. Orders are paid from prepaid wallets.',
    '',
    '## API',
    '',
    '- [OpenAPI 3.1 document](/openapi.json): every operation, response, error and event',
    '',
    ...byTask(pages).flatMap(([task, its]) => [`## ${task}`, '', ...its.map(item), '']),
  ].join('\n');
}

function escaped(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
