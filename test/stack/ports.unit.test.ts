import { createServer, type AddressInfo, type Server } from 'node:net';
import { once } from 'node:events';
import { checkFree, checkUnblocked, DEFAULT_PORTS, PORT_NAMES, readPorts } from '../../dev/stack/ports';

test('When PORT_OFFSET is set, then it moves every port that is not set itself', () => {
  const ports = readPorts({ PORT_OFFSET: '100', SMTP_PORT: '2600' });
  for (const name of PORT_NAMES.filter((each) => each !== 'SMTP_PORT'))
    expect([name, ports[name]]).toEqual([name, DEFAULT_PORTS[name] + 100]);
  expect(ports.SMTP_PORT).toBe(2600);
  expect(readPorts({ PORT_OFFSET: '' })).toEqual(DEFAULT_PORTS);
});

test.each(['-1', '1.5', 'x', '60000'])('When PORT_OFFSET is %s, then the error names the range', (offset) => {
  const sentence = `PORT_OFFSET must be a whole number from 0 to 56000, not "${offset}".`;
  expect(() => readPorts({ PORT_OFFSET: offset })).toThrow(sentence);
});

test.each([
  ['3000', '6000 (API_PORT)'],
  ['1050', '5060 (SIMULATOR_PORT), 5061 (FAKE_DTONE_PORT)'],
])('When PORT_OFFSET is %s, then ports that fetch blocks are named', (offset, named) => {
  const check = () => checkUnblocked(readPorts({ PORT_OFFSET: offset }), PORT_NAMES);
  expect(check).toThrow(
    `Neither fetch nor a browser connects to ${named}: set these variables to other ports, or move all ports, for example with PORT_OFFSET=100.`,
  );
});

test('When fetch blocks only the port of a program without HTTP, then the ports are accepted', () => {
  expect(() => checkUnblocked(readPorts({ SMTP_PORT: '6000' }), PORT_NAMES)).not.toThrow();
});

describe('Ports in use', () => {
  let servers: Server[];
  beforeEach(async () => {
    servers = [createServer(), createServer()];
    await Promise.all(servers.map((server) => once(server.listen(0, '127.0.0.1'), 'listening')));
  });
  afterEach(() => servers.forEach((server) => server.close()));
  const portOf = (index: number) => (servers[index]?.address() as AddressInfo).port;

  test('When several ports are in use, then the error names each with its variable', async () => {
    const [api, mailbox] = [portOf(0), portOf(1)];
    const ports = { ...DEFAULT_PORTS, API_PORT: api, MAILBOX_PORT: mailbox };
    await expect(checkFree(ports, ['API_PORT', 'MAILBOX_PORT'])).rejects.toThrow(
      `These ports are taken: ${api} (API_PORT), ${mailbox} (MAILBOX_PORT). Free them, set these variables, or move all ports, for example with PORT_OFFSET=100.`,
    );
  });

  test('When one port is in use, then the error names it', async () => {
    const ports = { ...DEFAULT_PORTS, API_PORT: portOf(0) };
    await expect(checkFree(ports, ['API_PORT'])).rejects.toThrow(
      `Port ${ports.API_PORT} is taken: free it, set API_PORT to another port, or move all ports, for example with PORT_OFFSET=100.`,
    );
  });
});
