/** A fake Zendit (API v1): `node fakes/zendit/main.js`, settings from the environment. */
import { runFake } from '../kit/fake';
import { createZendit } from './zendit';

void runFake(createZendit);
