/** The scripts of the clients' pages. Without JavaScript, the pages have neither search nor copy buttons. */
import './copy.mjs';
import './search.mjs';
