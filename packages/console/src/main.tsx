import { render } from 'preact';
import { App } from './app';

const place = document.getElementById('console');
if (place) render(<App />, place);
