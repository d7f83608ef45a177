/**
 * The samples of an operation in curl, TypeScript, Python and Go, made from its recorded call. Each runs as it is, with the
 * address of the service in `API_URL` and an access token in `TOKEN`. TypeScript, Python and Go use only their standard libraries.
 */
import { byWord } from '../../domain/by-word';
import type { ApiOperation } from './operation';
import type { RecordedCall } from './recorded-examples';

/** One element of `x-codeSamples`, as documentation tools read it. */
interface CodeSample {
  lang: string;
  label: string;
  source: string;
}

/** The parts of a request that the languages write in their own ways. */
interface SampleRequest {
  method: string;
  /** Path and query, after the address of the service. */
  target: string;
  hasToken: boolean;
  body: object | undefined;
}

/** The samples of the operation. `path` has parameters as `:name`. */
export function codeSamples(
  method: string,
  path: string,
  { access = 'token' }: ApiOperation,
  { path: inPath, query, body }: RecordedCall,
): CodeSample[] {
  const filled = path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(inPath[name] ?? ''));
  const search = Object.entries(query).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  const target = search.length > 0 ? `${filled}?${search.join('&')}` : filled;
  const request = { method, target, hasToken: access === 'token', body };
  return [
    { lang: 'shell', label: 'curl', source: curl(request) },
    { lang: 'typescript', label: 'TypeScript', source: typescript(request) },
    { lang: 'python', label: 'Python', source: python(request) },
    { lang: 'go', label: 'Go', source: go(request) },
  ];
}

function curl({ method, target, hasToken, body }: SampleRequest): string {
  const isDefault = method === (body ? 'POST' : 'GET');
  return [
    `curl${isDefault ? '' : ` -X ${method}`} "$API_URL${target}"`,
    ...(hasToken ? ['  -H "Authorization: Bearer $TOKEN"'] : []),
    ...(body ? ["  -H 'Content-Type: application/json'", `  -d '${quotedForShell(body)}'`] : []),
  ].join(' \\\n');
}

function quotedForShell(body: object): string {
  return JSON.stringify(body).replaceAll("'", String.raw`'\''`);
}

function typescript({ method, target, hasToken, body }: SampleRequest): string {
  const headers = [
    ...(hasToken ? ['Authorization: `Bearer ${process.env.TOKEN}`'] : []),
    ...(body ? ["'Content-Type': 'application/json'"] : []),
  ];
  return [
    `const response = await fetch(\`\${process.env.API_URL}${target}\`, {`,
    `  method: '${method}',`,
    ...(headers.length > 0 ? [`  headers: { ${headers.join(', ')} },`] : []),
    ...(body ? [`  body: JSON.stringify(${indented(body, '  ')}),`] : []),
    '});',
    'if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);',
    'console.log(await response.text());',
  ].join('\n');
}

function python({ method, target, hasToken, body }: SampleRequest): string {
  const headers = [
    ...(hasToken ? [`"Authorization": f"Bearer {os.environ['TOKEN']}"`] : []),
    ...(body ? ['"Content-Type": "application/json"'] : []),
  ];
  return [
    ...(body ? ['import json'] : []),
    'import os',
    'import urllib.request',
    '',
    'request = urllib.request.Request(',
    `    os.environ["API_URL"] + ${JSON.stringify(target)},`,
    `    method="${method}",`,
    ...(headers.length > 0 ? [`    headers={${headers.join(', ')}},`] : []),
    ...(body ? [`    data=json.dumps(${pythonLiteral(body, '    ')}).encode(),`] : []),
    ')',
    'with urllib.request.urlopen(request) as response:',
    '    print(response.read().decode())',
  ].join('\n');
}

const pythonWords = byWord({ true: 'True', false: 'False', null: 'None' });

/** The JSON value as Python writes it. */
function pythonLiteral(body: object, indent: string): string {
  return indented(body, indent).replace(
    /: (true|false|null)(?=,?$)/gm,
    (_, word: string) => `: ${pythonWords[word] ?? word}`,
  );
}

function go({ method, target, hasToken, body }: SampleRequest): string {
  const content = body ? `strings.NewReader(\`${JSON.stringify(body, null, 2).replaceAll('\n', '\n\t')}\`)` : 'nil';
  return [
    'package main',
    '',
    'import (',
    ...['fmt', 'io', 'log', 'net/http', 'os', ...(body ? ['strings'] : [])].map((name) => `\t"${name}"`),
    ')',
    '',
    'func main() {',
    `\trequest, err := http.NewRequest("${method}", os.Getenv("API_URL")+${JSON.stringify(target)}, ${content})`,
    '\tcheck(err)',
    ...(hasToken ? ['\trequest.Header.Set("Authorization", "Bearer "+os.Getenv("TOKEN"))'] : []),
    ...(body ? ['\trequest.Header.Set("Content-Type", "application/json")'] : []),
    '\tresponse, err := http.DefaultClient.Do(request)',
    '\tcheck(err)',
    '\tdefer response.Body.Close()',
    '\ttext, err := io.ReadAll(response.Body)',
    '\tcheck(err)',
    '\tif response.StatusCode >= 300 {',
    '\t\tlog.Fatal(response.Status, " ", string(text))',
    '\t}',
    '\tfmt.Println(string(text))',
    '}',
    '',
    'func check(err error) {',
    '\tif err != nil {',
    '\t\tlog.Fatal(err)',
    '\t}',
    '}',
  ].join('\n');
}

/** The JSON text, whose lines after the first begin with the indent. */
function indented(body: object, indent: string): string {
  return JSON.stringify(body, null, 2).replaceAll('\n', `\n${indent}`);
}
