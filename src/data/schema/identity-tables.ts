/**
 * The tables in which a door keeps the people who sign in at it. Those with quoted names belong to the library of the sign-in
 * (test/identity/sign-in.test.ts compares them with what it needs); the others are ours.
 * docs/decisions/0065-name-operators-and-give-them-roles.md.
 */
import type { IdentitySchema } from '../identity/identity-pool';

/** The statements that create the schema of a door with its tables. */
export function identityTables(schema: IdentitySchema): string {
  return `CREATE SCHEMA ${schema};${[personTables, codeTables, ownTables].map((tables) => tables(schema)).join('')}`;
}

const personTables = (schema: IdentitySchema) => `
CREATE TABLE ${schema}."user" (
  "id"               text PRIMARY KEY,
  "name"             text NOT NULL,
  "email"            text NOT NULL UNIQUE,
  "emailVerified"    boolean NOT NULL,
  "image"            text,
  "createdAt"        timestamptz NOT NULL DEFAULT now(),
  "updatedAt"        timestamptz NOT NULL DEFAULT now(),
  "twoFactorEnabled" boolean,
  -- Ours. A suspended person cannot sign in, and no session of the person is valid.
  "role"             text NOT NULL,
  "suspendedAt"      timestamptz
);

-- The token is useless without its signature, whose secret is not in the database.
CREATE TABLE ${schema}."session" (
  "id"             text PRIMARY KEY,
  "expiresAt"      timestamptz NOT NULL,
  "token"          text NOT NULL UNIQUE,
  "createdAt"      timestamptz NOT NULL DEFAULT now(),
  "updatedAt"      timestamptz NOT NULL,
  "ipAddress"      text,
  "userAgent"      text,
  "userId"         text NOT NULL REFERENCES ${schema}."user" ON DELETE CASCADE,
  -- Ours: BROWSER ends after some rest, CLI does not; the machine of the ops CLI; when the person gave the second factor.
  "kind"           text NOT NULL CHECK ("kind" IN ('BROWSER', 'CLI')),
  "machine"        text,
  "secondFactorAt" timestamptz,
  "lastUsedAt"     timestamptz NOT NULL
);
CREATE INDEX "session_userId_idx" ON ${schema}."session" ("userId");

-- One row for each person who signs in by OpenID Connect: issuer and subject. The service stores no token of the provider.
CREATE TABLE ${schema}."account" (
  "id"                    text PRIMARY KEY,
  "accountId"             text NOT NULL,
  "providerId"            text NOT NULL,
  "userId"                text NOT NULL REFERENCES ${schema}."user" ON DELETE CASCADE,
  "accessToken"           text,
  "refreshToken"          text,
  "idToken"               text,
  "accessTokenExpiresAt"  timestamptz,
  "refreshTokenExpiresAt" timestamptz,
  "scope"                 text,
  "password"              text,
  "createdAt"             timestamptz NOT NULL DEFAULT now(),
  "updatedAt"             timestamptz NOT NULL,
  CHECK (coalesce("accessToken", "refreshToken", "idToken", "password") IS NULL),
  UNIQUE ("providerId", "accountId")
);
CREATE INDEX "account_userId_idx" ON ${schema}."account" ("userId");
`;

const codeTables = (schema: IdentitySchema) => `
-- Codes by mail and sign-in links, as hashes.
CREATE TABLE ${schema}."verification" (
  "id"         text PRIMARY KEY,
  "identifier" text NOT NULL,
  "value"      text NOT NULL,
  "expiresAt"  timestamptz NOT NULL,
  "createdAt"  timestamptz NOT NULL DEFAULT now(),
  "updatedAt"  timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX "verification_identifier_idx" ON ${schema}."verification" ("identifier");

-- Secret and recovery codes are encrypted.
CREATE TABLE ${schema}."twoFactor" (
  "id"                      text PRIMARY KEY,
  "secret"                  text NOT NULL,
  "backupCodes"             text NOT NULL,
  "userId"                  text NOT NULL REFERENCES ${schema}."user" ON DELETE CASCADE,
  "verified"                boolean,
  "failedVerificationCount" integer,
  "lockedUntil"             timestamptz
);
CREATE INDEX "twoFactor_secret_idx" ON ${schema}."twoFactor" ("secret");
CREATE INDEX "twoFactor_userId_idx" ON ${schema}."twoFactor" ("userId");

-- The device code is hashed.
CREATE TABLE ${schema}."deviceCode" (
  "id"              text PRIMARY KEY,
  "deviceCode"      text NOT NULL,
  "userCode"        text NOT NULL,
  "userId"          text,
  "expiresAt"       timestamptz NOT NULL,
  "status"          text NOT NULL,
  "lastPolledAt"    timestamptz,
  "pollingInterval" integer,
  "clientId"        text,
  "scope"           text,
  -- Ours: who asks, and when the approving person gave the second factor.
  "machine"         text,
  "address"         text,
  "secondFactorAt"  timestamptz
);
CREATE UNIQUE INDEX "deviceCode_deviceCode_uidx" ON ${schema}."deviceCode" ("deviceCode");
CREATE UNIQUE INDEX "deviceCode_userCode_uidx" ON ${schema}."deviceCode" ("userCode");

-- Calls by address and path.
CREATE TABLE ${schema}."rateLimit" (
  "id"          text PRIMARY KEY,
  "key"         text NOT NULL UNIQUE,
  "count"       integer NOT NULL,
  "lastRequest" bigint NOT NULL
);
`;

const ownTables = (schema: IdentitySchema) => `
CREATE TABLE ${schema}.invitations (
  id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  email       text NOT NULL CHECK (email = lower(email)),
  name        text NOT NULL,
  role        text NOT NULL,
  invited_by  text NOT NULL,
  created_at  timestamptz NOT NULL DEFAULT now(),
  expires_at  timestamptz NOT NULL,
  accepted_at timestamptz
);
CREATE UNIQUE INDEX invitations_open ON ${schema}.invitations (email) WHERE accepted_at IS NULL;
CREATE TRIGGER limit_invitations AFTER INSERT OR UPDATE OF expires_at ON ${schema}.invitations
  FOR EACH ROW EXECUTE FUNCTION limit_invitations();

-- Mailed invitations. counted: 'to <address> by <operator or client>' or 'by <operator or client>'.
CREATE TABLE ${schema}.invitation_counts (
  counted text PRIMARY KEY,
  sent    integer NOT NULL,
  since   timestamptz NOT NULL
);

-- Codes mailed to an address, of people and invited people only.
CREATE TABLE ${schema}.mail_code_counts (
  email text PRIMARY KEY,
  sent  integer NOT NULL,
  since timestamptz NOT NULL
);

-- Codes of authenticators that were accepted, as keyed hashes: each is accepted once.
CREATE TABLE ${schema}.used_codes (
  person_id text NOT NULL REFERENCES ${schema}."user" ON DELETE CASCADE,
  code_hash bytea NOT NULL,
  used_at   timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (person_id, code_hash)
);

CREATE TABLE ${schema}.service_accounts (
  id           bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name         text NOT NULL,
  role         text NOT NULL,
  operations   text[] NOT NULL,
  networks     text[] NOT NULL,
  created_by   text NOT NULL,
  created_at   timestamptz NOT NULL DEFAULT now(),
  expires_at   timestamptz NOT NULL,
  token_hash   bytea NOT NULL UNIQUE,
  last_used_at timestamptz,
  revoked_at   timestamptz
);
CREATE UNIQUE INDEX service_accounts_name ON ${schema}.service_accounts (name) WHERE revoked_at IS NULL;
`;
