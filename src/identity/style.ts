/** The style of the pages, on the scales that all pages share. Its hash is in the Content-Security-Policy. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A link to the scales of packages/parts, which the build copies to here. */
const scales = readFileSync(join(__dirname, 'tokens.css'), 'utf8');

export const style = `${scales}
*{box-sizing:border-box}
body{margin:0;background:var(--ground);color:var(--text);font:var(--text-m)/1.5 var(--sans)}
main{max-width:64rem;margin:0 auto;padding:var(--space-6) var(--space-4)}
main.narrow{max-width:24rem;padding-top:12vh}
h1{font-size:var(--text-2xl);font-weight:600;line-height:1.3;letter-spacing:-.01em;margin:0 0 var(--space-4)}
h2{font-size:var(--text-l);font-weight:600;margin:var(--space-8) 0 var(--space-2)}
section,form.card{background:var(--surface);border:1px solid var(--line);border-radius:var(--radius);box-shadow:var(--shadow);
padding:var(--space-4);margin:0 0 var(--space-4)}
label{display:block;margin:0 0 var(--space-3);font-weight:550}
input{display:block;width:100%;min-height:var(--control);margin-top:var(--space-1);padding:.3rem var(--space-3);font:inherit;
font-size:var(--text-l);color:inherit;background:var(--surface);border:1px solid var(--edge);border-radius:var(--radius-s)}
button,.button{display:inline-flex;align-items:center;min-height:var(--control);padding:.3rem var(--space-3);font:inherit;
font-weight:550;color:var(--text);background:var(--surface);border:1px solid var(--line);border-radius:var(--radius-s);
box-shadow:var(--shadow);cursor:pointer;text-decoration:none}
button:hover,.button:hover{background:var(--raised)}
button.primary{color:var(--on-fill);background:var(--fill);border-color:var(--fill)}
a{color:var(--accent)}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
.error{color:var(--bad);background:var(--bad-tint);border-radius:var(--radius);padding:var(--space-2) var(--space-3)}
.quiet{color:var(--quiet)}
.row{display:flex;flex-wrap:wrap;gap:var(--space-2);align-items:center}
.scroll{overflow-x:auto}
table{width:100%;border-collapse:collapse}
th,td{text-align:left;vertical-align:top;padding:var(--space-2) var(--space-3) var(--space-2) 0;border-bottom:1px solid var(--line)}
th{color:var(--quiet);font-size:var(--text-s);font-weight:500}
.time{white-space:nowrap}
section>:first-child{margin-top:0}
section>:last-child{margin-bottom:0}
code,.mono{font-family:var(--mono);overflow-wrap:anywhere}
.qr svg{display:block;width:12rem;max-width:100%;height:auto;background:#fff;border-radius:var(--radius)}
@media(max-width:40rem){main.narrow{padding-top:var(--space-8)}.rows thead{display:none}.rows tr,.rows td{display:block}
.rows tr{padding:var(--space-2) 0;border-bottom:1px solid var(--line)}.rows td{padding:.1rem 0;border:0;overflow-wrap:anywhere}
.rows td[data-column]:before{content:attr(data-column);display:inline-block;min-width:6rem;color:var(--quiet)}}
`;

/** Nothing but this style and forms to this origin. */
export const contentSecurityPolicy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ');
