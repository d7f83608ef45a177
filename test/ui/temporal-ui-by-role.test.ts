/** The Temporal UI in a browser behind the operators' process: what operators see and do by their role. */
import { describeInBrowser } from './describe-in-browser';
import { TemporalUi } from './temporal-ui';
import { until } from '../../dev/testbed/waiting';
import { NAMESPACE, TemporalUiRig } from '../operators/server/temporal-ui-rig';

describeInBrowser('In the Temporal UI behind the sign-in', () => {
  let rig: TemporalUiRig;
  let ui: TemporalUi;
  /** What the page asked of other hosts, and what its policy rejected. */
  const complaints: string[] = [];
  beforeAll(async () => {
    [rig, ui] = await Promise.all([TemporalUiRig.start(), TemporalUi.open()]);
    ui.page.on('console', (line) => {
      if (line.text().includes('Content Security Policy')) complaints.push(line.text());
    });
    ui.page.on('request', (request) => {
      if (!request.url().startsWith(rig.door.origin) && !/^(data|blob):/.test(request.url()))
        complaints.push(request.url());
    });
  }, 180_000);
  afterAll(async () => {
    await ui?.close();
    await rig?.stop();
  });
  beforeEach(() => {
    complaints.length = 0;
    rig.door.recorded.length = 0;
  });

  /** Opens the page of a new ticket. Returns its workflow. */
  async function openTicketAs(person: string, workflowId: string) {
    const { origin } = rig.door;
    await ui.page.context().addCookies([{ name: 'person', value: person, url: origin }]);
    const workflow = await rig.openTicket(workflowId);
    const { runId } = await workflow.describe();
    await ui.page.goto(`${origin}/temporal/namespaces/${NAMESPACE}/workflows/${workflowId}/${runId}/history`);
    return workflow;
  }

  test('When the session ends, then the open UI leads to the sign-in, also for a page that the browser never loaded', async () => {
    await openTicketAs('viewer', 'ticket-5');
    await ui.untilText(/Summary of ticket-5/);
    await ui.page.context().clearCookies();
    await ui.page.getByRole('link', { name: 'Workflows', exact: true }).first().click();
    await ui.page.waitForURL(/\/identity\/gate\?next=/);
  });

  test('When support opens a workflow, then its summary and details are decrypted, and a signal carries the operator’s name', async () => {
    const workflow = await openTicketAs('support', 'ticket-1');
    await ui.untilText(/Summary of ticket-1/);
    expect(await ui.readDetails(/Waiting for the desk/)).toContain('Waiting for the desk');
    await ui.signal('note');
    const signal = await until('the signal', async () => {
      const { events } = await workflow.fetchHistory();
      return events?.find((event) => event.workflowExecutionSignaledEventAttributes);
    });
    expect(signal.workflowExecutionSignaledEventAttributes?.identity).toBe('ops/support');
    expect(rig.door.recorded).toMatchObject([{ operator: 'support', command: 'note', workflowId: 'ticket-1' }]);
    expect(complaints).toEqual([]);
  });

  test('When a viewer opens a workflow, then the page shows it without actions, and a signal from the page is rejected', async () => {
    const workflow = await openTicketAs('viewer', 'ticket-2');
    await ui.untilText(/Summary of ticket-2/);
    expect(await ui.readDetails(/Waiting for the desk/)).toContain('Waiting for the desk');
    expect(await ui.page.getByRole('button', { name: 'More Actions' }).isEnabled()).toBe(false);
    const path = `/temporal/api/v1/namespaces/${NAMESPACE}/workflows/ticket-2/signal/note`;
    const rejected = await ui.page.evaluate(async (sent) => {
      const { status, text } = await fetch(sent, { method: 'POST', body: '{}' }).then(async (response) => ({
        status: response.status,
        text: await response.text(),
      }));
      return [status, text] as const;
    }, path);
    expect(rejected).toEqual([403, expect.stringContaining('This needs the role support or admin; yours is viewer.')]);
    const { events } = await workflow.fetchHistory();
    expect(events?.some((event) => event.workflowExecutionSignaledEventAttributes)).toBe(false);
    expect(complaints).toEqual([]);
  });

  test('When the second factor is too old, then the dialog of a change says where to confirm it', async () => {
    await openTicketAs('unconfirmed', 'ticket-3');
    await ui.untilText(/Summary of ticket-3/);
    expect(await ui.update('close', '"late"')).toBe(
      `Confirm your second factor at ${rig.door.origin}/identity/second-factor?session=unconfirmed, then repeat this.`,
    );
    expect(rig.door.recorded).toEqual([]);
  });

  test('When a viewer opens every page of the UI, then nothing that it reads is rejected, and nothing goes to another host', async () => {
    await openTicketAs('viewer', 'ticket-4');
    await ui.untilText(/Summary of ticket-4/);
    const rejected: string[] = [];
    ui.page.on('response', (response) => {
      if ([401, 403].includes(response.status())) rejected.push(new URL(response.url()).pathname);
    });
    const tabs = ['timeline', 'history', 'relationships', 'workers', 'pending-activities', 'call-stack', 'query'];
    const more = ['user-metadata', 'search-attributes', 'memo', 'nexus-links'];
    const workflowUrl = ui.page.url().replace(/\/history.*/, '');
    const home = `${rig.door.origin}/temporal`;
    const lists = [
      'workflows',
      'schedules',
      'batch-operations',
      'workers',
      'archival',
      'task-queues/tickets',
      'activities',
    ];
    for (const url of [
      `${home}/`,
      `${home}/namespaces`,
      `${home}/nexus`,
      `${home}/import/events`,
      `${home}/namespaces/${NAMESPACE}`,
      ...lists.map((list) => `${home}/namespaces/${NAMESPACE}/${list}`),
      ...[...tabs, ...more].map((tab) => `${workflowUrl}/${tab}`),
    ]) {
      await ui.page.goto(url, { waitUntil: 'load' });
      await ui.page.waitForTimeout(500);
      expect(new URL(ui.page.url()).pathname).not.toContain('login');
    }
    expect([rejected, complaints]).toEqual([[], []]);
  });
});
