/** The fake Reloadly: `node fakes/reloadly/main.js`, settings from `FAKE_*`. */
import { runFake } from '../kit/fake';
import { createReloadly } from './reloadly';

void runFake(createReloadly);
