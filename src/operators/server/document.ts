/** The OpenAPI document of the operators' API, generated from the operations. */
import type { ColumnKind } from '../../domain/row-columns';
import { jsonName, pathOf, schemaOf } from '../operations/json-arguments';
import { groups, operations } from '../operations/operations';
import { needsSecondFactor, type DataOperation, type Operation } from '../operations/operation';

/** The document, in OpenAPI 3.1. */
export function operatorsDocument(): object {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Operators of the Digital Goods Ordering Service',
      version: '1',
      description:
        'Every operation is a POST with its arguments in JSON. With `Accept: application/x-ndjson`, progress and remarks arrive while it runs. ' +
        'With `Accept: text/csv`, the rows of a list are written for spreadsheets: all of them without `limit`. With `?preview=true`, once and exactly so, the response says what the operation will do, and nothing changes.',
    },
    security: [{ bearer: [] }],
    tags: Object.entries(groups).map(([name, description]) => ({ name, description })),
    paths: Object.fromEntries(operations.map((operation) => [pathOf(operation), { post: described(operation) }])),
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
      responses: { Error: { description: 'The reason', content: json({ $ref: '#/components/schemas/Error' }) } },
      schemas: { Error: errorSchema },
    },
  };
}

function described(operation: Operation): object {
  const { name, button, about, roles, effect, givesAccess, isLong, alternatives } = operation;
  const named = Object.entries(operation.arguments);
  const required = named.filter(([, { isRequired }]) => isRequired).map(([argument]) => jsonName(argument));
  const schema = {
    type: 'object',
    additionalProperties: false,
    ...(required.length > 0 && { required }),
    properties: Object.fromEntries(named.map(([argument, one]) => [jsonName(argument), schemaOf(one)])),
  };
  return {
    operationId: name.replaceAll(' ', '-'),
    tags: [name.split(' ')[0]],
    summary: about,
    'x-button': button,
    'x-roles': roles,
    'x-effect': effect,
    ...(needsSecondFactor(operation) && { 'x-second-factor': true }),
    ...(givesAccess && { 'x-gives-access': true }),
    ...(isLong && { 'x-long': true }),
    ...(operation.present && {
      'x-present': operation.present.subject.map(jsonName),
      'x-present-whole': operation.present.isWhole,
    }),
    ...(alternatives && { 'x-alternatives': alternatives.map((group) => group.map(jsonName)) }),
    ...(operation.effect !== 'reads' && {
      parameters: [previewParameter, ...(operation.present ? [presentParameter] : [])],
    }),
    requestBody: { required: required.length > 0, content: json(schema) },
    responses: responsesOf(operation),
  };
}

const previewParameter = {
  name: 'preview',
  in: 'query',
  schema: { enum: ['true'] },
  description: 'only say what it will do, or what prevents it',
};

const presentParameter = {
  name: 'present',
  in: 'query',
  schema: { enum: ['true'] },
  description: 'only read the stored values that it changes, from the arguments in `x-present`',
};

function responsesOf(operation: Operation): object {
  const result =
    'parts' in operation
      ? documentContent
      : { ...json(resultOf(operation)), ...(operation.effect === 'reads' && rowsContent) };
  return {
    200: { description: 'The result', content: result },
    ...(operation.approval && {
      202: { description: 'Proposed: another person approves it', content: json(proposedSchema) },
    }),
    ...Object.fromEntries(
      [400, 401, 403, 409, 413, 503].map((status) => [status, { $ref: '#/components/responses/Error' }]),
    ),
  };
}

function json(schema: object): object {
  return { 'application/json': { schema } };
}

const documentContent = { 'text/plain': { schema: { type: 'string' } }, 'application/json': { schema: {} } };

const rowsContent = { 'text/csv': { schema: { type: 'string' } } };

const resultSchema = {
  type: 'object',
  required: ['result', 'remarks', 'mark'],
  properties: {
    result: { description: 'Rows, one object, or a sentence' },
    remarks: { type: 'array', items: { type: 'string' } },
    mark: { type: 'integer', enum: [0, 1, 2], description: '1: something is wrong. 2: a part needs force' },
  },
};

/** The schema of the result. `rows` of an operation are a part of its result, and only its CSV has their columns. */
function resultOf(operation: DataOperation): object {
  const { columns } = operation;
  if (!columns || 'rows' in operation) return resultSchema;
  const properties = Object.fromEntries(Object.entries(columns).map(([name, kind]) => [name, columnSchemas[kind]]));
  const result = { type: 'array', items: { type: 'object', properties } };
  return { ...resultSchema, properties: { ...resultSchema.properties, result } };
}

const columnSchemas: Readonly<Record<ColumnKind, object>> = {
  text: { type: ['string', 'null'] },
  number: { type: ['number', 'null'] },
  flag: { type: ['boolean', 'null'] },
  time: { type: ['string', 'null'], format: 'date-time' },
  list: { type: ['array', 'null'] },
  object: { type: ['object', 'null'] },
};

const proposedSchema = {
  ...resultSchema,
  required: [...resultSchema.required, 'proposal'],
  properties: { ...resultSchema.properties, proposal: { type: 'integer', description: 'The number of the proposal' } },
};

const errorSchema = {
  type: 'object',
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      required: ['name', 'code', 'message'],
      properties: { name: { type: 'string' }, code: { type: 'string' }, message: { type: 'string' } },
    },
  },
};
