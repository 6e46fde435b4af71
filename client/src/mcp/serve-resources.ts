import { ResourceNotFoundError, type Server } from '@modelcontextprotocol/server'
import type { ClientContext } from '../context.ts'
import { listActions } from './actions.ts'
import { inEnvelope } from './envelope.ts'
import { ACTIONS_URI, findTask, parseResource, TASK_URI_TEMPLATE } from './market-resource.ts'
import type { Subscriptions } from './subscriptions.ts'

const MIME_TYPE = 'text/plain'
const ACTIONS = {
  uri: ACTIONS_URI,
  name: 'actions',
  title: 'What this wallet can do now',
  description: 'The same as list_actions.',
  mimeType: MIME_TYPE,
}
const TASK = {
  uriTemplate: TASK_URI_TEMPLATE,
  name: 'task',
  title: 'A task',
  description: 'The same as getTask.',
  mimeType: MIME_TYPE,
}

/**
 * Adds this wallet's resources to the server: its action queue, and the tasks that it may read. Also adds subscriptions
 * for clients of the 2025 protocol. Clients of the 2026 protocol subscribe through `readListenRequests`.
 */
export function serveResources(
  server: Server,
  { context, subscriptions }: { context: ClientContext; subscriptions: Subscriptions },
): void {
  server.setRequestHandler('resources/list', () => ({ resources: [ACTIONS] }))
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: [TASK] }))
  server.setRequestHandler('resources/read', async ({ params: { uri } }) => {
    const data = await readResource(context, uri)
    const [content] = inEnvelope(data, { isStructured: false }).content
    return { contents: [{ uri, mimeType: MIME_TYPE, text: content?.type === 'text' ? content.text : '' }] }
  })
  server.setRequestHandler('resources/subscribe', async ({ params: { uri } }) => {
    const subscribedUris = await subscriptions.add(null, [uri])
    if (!subscribedUris.includes(uri)) throw new ResourceNotFoundError(uri)
    return {}
  })
  server.setRequestHandler('resources/unsubscribe', ({ params: { uri } }) => {
    subscriptions.remove(null, uri)
    return {}
  })
}

async function readResource(context: ClientContext, uri: string): Promise<unknown> {
  const resource = parseResource(uri)
  if (resource?.kind === 'actions') return { actions: await listActions(context) }
  const task = resource === null ? null : await findTask(context, resource.taskId)
  if (task === null) throw new ResourceNotFoundError(uri)
  return task
}
