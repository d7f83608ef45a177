/** Validates values against an OpenAPI document. */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { closed, type JsonObject } from './closed-document';

/** A documented body. */
export interface MediaType {
  schema: JsonObject;
  example?: unknown;
  examples?: Record<string, { value: unknown }>;
}

const ID = 'openapi';

/** The schemas of the closed copy of a document, each compiled once. */
export class DocumentSchemas {
  private readonly ajv = new Ajv2020({ allErrors: true, strict: false });
  private readonly compiled = new Map<string, ValidateFunction>();

  private readonly document: JsonObject;

  constructor(published: JsonObject) {
    this.document = closed(published);
    addFormats(this.ajv);
    this.ajv.addSchema({ ...this.document, $id: ID });
  }

  /** The errors of the value; empty if it matches the schema. */
  faults(schema: JsonObject, value: unknown): string[] {
    const key = JSON.stringify(schema);
    const validate = this.compiled.get(key) ?? this.ajv.compile(absolute(schema));
    this.compiled.set(key, validate);
    if (validate(value)) return [];
    return (validate.errors ?? []).map(
      ({ instancePath, message, params }) => `${instancePath || '(whole)'} ${message} ${JSON.stringify(params)}`,
    );
  }

  /** The value at this path of the document, or undefined. */
  at(...keys: string[]): unknown {
    return keys.reduce<unknown>((node, key) => (node as JsonObject | undefined)?.[key], this.document);
  }

  /** The object, or the target of its `$ref`. */
  resolved(object: object): unknown {
    const reference = (object as { $ref?: string }).$ref;
    return reference === undefined ? object : this.at(...reference.replace('#/', '').split('/'));
  }

  /** Every documented body with its path in the document. */
  contents(): [where: string, content: MediaType][] {
    const found: [string, MediaType][] = [];
    const visit = (node: unknown, where: string): void => {
      if (typeof node !== 'object' || node === null) return;
      for (const [key, value] of Object.entries(node)) {
        if (key === 'content') {
          for (const content of Object.values(value as Record<string, MediaType>)) found.push([where, content]);
        } else visit(value, `${where} ${key}`.trim());
      }
    };
    visit(this.document, '');
    return found;
  }
}

/** Converts references within the document to references from outside. */
function absolute(schema: JsonObject): JsonObject {
  return JSON.parse(JSON.stringify(schema).replaceAll('"$ref":"#/', `"$ref":"${ID}#/`)) as JsonObject;
}
