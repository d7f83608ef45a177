/** The style of the pages, in the colours of the console. Its hash is in the Content-Security-Policy. */
import { createHash } from 'node:crypto';

export const style = `
:root{color-scheme:light dark;--ground:#f6f7f9;--surface:#fff;--line:#dcdfe6;--edge:#8b92a1;--text:#1b1f2a;--quiet:#565e6e;
--accent:#3546b8;--on-accent:#fff;--bad:#a3252f;--bad-tint:#fbe7e8;font:16px/1.5 system-ui,-apple-system,'Segoe UI',Roboto,sans-serif}
@media(prefers-color-scheme:dark){:root{--ground:#12141a;--surface:#1b1e26;--line:#323744;--edge:#7d8698;--text:#e9ebf0;
--quiet:#a8afbd;--accent:#a9b5ff;--on-accent:#12141a;--bad:#ffa3a8;--bad-tint:#40232a}}
*{box-sizing:border-box}
body{margin:0;background:var(--ground);color:var(--text)}
main{max-width:64rem;margin:0 auto;padding:1.5rem 1rem}
main.narrow{max-width:26rem}
h1{font-size:1.5rem;line-height:1.25;margin:0 0 1rem}
h2{font-size:1.1rem;margin:2rem 0 .5rem}
section,form.card{background:var(--surface);border:1px solid var(--line);border-radius:10px;padding:1rem;margin:0 0 1rem}
label{display:block;margin:0 0 .75rem}
input{display:block;width:100%;margin-top:.25rem;padding:.6rem;font:inherit;color:inherit;background:var(--ground);
border:1px solid var(--edge);border-radius:8px}
button,.button{display:inline-block;padding:.6rem 1rem;font:inherit;color:var(--accent);background:none;border:1px solid var(--edge);
border-radius:8px;cursor:pointer;text-decoration:none}
button.primary{color:var(--on-accent);background:var(--accent);border-color:var(--accent)}
a{color:var(--accent)}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
.error{color:var(--bad);background:var(--bad-tint);border-radius:8px;padding:.6rem}
.quiet{color:var(--quiet)}
.row{display:flex;flex-wrap:wrap;gap:.75rem;align-items:center}
.scroll{overflow-x:auto}
table{width:100%;border-collapse:collapse}
th,td{text-align:left;vertical-align:top;padding:.4rem .75rem .4rem 0;border-bottom:1px solid var(--line)}
th{color:var(--quiet);font-weight:600}
.time{white-space:nowrap}
section>:first-child{margin-top:0}
section>:last-child{margin-bottom:0}
code,.mono{font-family:ui-monospace,Menlo,Consolas,monospace;overflow-wrap:anywhere}
.qr svg{display:block;width:12rem;max-width:100%;height:auto;background:#fff;border-radius:8px}
@media(max-width:40rem){.rows thead{display:none}.rows tr,.rows td{display:block}
.rows tr{padding:.6rem 0;border-bottom:1px solid var(--line)}.rows td{padding:.1rem 0;border:0;overflow-wrap:anywhere}
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
