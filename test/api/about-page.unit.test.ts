/** The clients' page about this service, with the facts of the settings: docs/clients/about.md. */
import { withAbout } from '../../src/api/guides/about-page';
import { pageFile } from '../../src/page-files/page-files';
import type { About } from '../../src/settings/about-settings';

const nothing: About = {
  webhookAddresses: undefined,
  statusPage: undefined,
  support: undefined,
  dataLocation: undefined,
  subProcessors: undefined,
  retention: undefined,
};
const html = `<tbody><tr><td>status page</td><td>{{statusPage}}</td></tr>
<tr><td>support</td><td>{{support}}</td></tr>
<tr><td>changes</td><td>Versions</td></tr></tbody>`;
const markdown = '| status page | {{statusPage}} |\n| support | {{support}} |\n| changes | Versions |\n';

function pageWith(about: Partial<About>): { html: string; markdown: string } {
  const built = new Map([
    ['about.html', pageFile('text/html', Buffer.from(html))],
    ['about.md', pageFile('text/markdown', Buffer.from(markdown))],
  ]);
  const pages = withAbout(built, { ...nothing, ...about });
  const text = (name: string) => String(pages.get(name)?.body);
  return { html: text('about.html'), markdown: text('about.md') };
}

test('When the operator states nothing, then the page leaves these rows out', () => {
  expect(pageWith({})).toEqual({
    html: '<tbody><tr><td>changes</td><td>Versions</td></tr></tbody>',
    markdown: '| changes | Versions |\n',
  });
});

test('When a fact is stated, then it stands in its row as text, and an address as a link', () => {
  const page = pageWith({ support: `<b>$& & "Ann" | *9*</b>`, statusPage: 'https://status.example/?a=1&b=2' });
  expect(page.html).toContain('<td>&lt;b&gt;$&amp; &amp; &quot;Ann&quot; | *9*&lt;/b&gt;</td>');
  expect(page.html).toContain(
    '<td><a href="https://status.example/?a=1&amp;b=2">https://status.example/?a=1&amp;b=2</a></td>',
  );
  expect(page.markdown).toContain('| support | \\<b\\>$& & "Ann" \\| \\*9\\*\\</b\\> |\n');
});
