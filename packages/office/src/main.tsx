import { render } from 'preact';
import { App } from './app';

const place = document.getElementById('office');
if (place) render(<App />, place);
