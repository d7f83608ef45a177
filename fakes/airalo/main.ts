/** A fake Airalo (Partner API v2): `node fakes/airalo/main.js`, settings from the environment. */
import { runFake } from '../kit/fake';
import { createAiralo } from './airalo';

void runFake(createAiralo);
