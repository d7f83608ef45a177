/** What every page of the sign-in has. */
import { Html, html } from './html';
import { style } from './style';

/** Exactly the text whose hash the Content-Security-Policy has. */
const styleElement = new Html(`<style>${style}</style>`);

/** A page, with its title and an error message if the last form was rejected. */
interface Page {
  title: string;
  error?: string | undefined;
  isNarrow?: boolean;
}

export function pageWith({ title, error, isNarrow = true }: Page, content: Html): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title}</title>
        ${styleElement}
      </head>
      <body>
        <main class="${isNarrow ? 'narrow' : 'wide'}">
          <h1>${title}</h1>
          ${error === undefined ? undefined : html`<p class="error" role="alert">${error}</p>`} ${content}
        </main>
      </body>
    </html> `.text;
}

export const signOutForm = () => html`<form method="post" action="/identity/sign-out"><button>Sign out</button></form>`;
