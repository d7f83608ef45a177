/** A fake DT One (DVS API v1): `node fakes/dtone/main.js`, settings from the environment. */
import { runFake } from '../kit/fake';
import { createDtone } from './dtone';

void runFake(createDtone);
