import type { Context, Hono } from 'hono'
import type { Deps } from '../../deps.ts'
import { answerJsonText } from '../../http/json-answer.ts'
import { llmsText } from './llms-text.ts'
import { registryEntry } from './registry-entry.ts'
import { serviceRegistration } from './service-registration.ts'
import { skillText } from './skill-text.ts'
import { x402Resources } from './x402-resources.ts'

const MAX_AGE = { 'Cache-Control': 'public, max-age=300' }

/**
 * What the service tells of itself to those who look for services. Every text is made from the routes and the settings: no
 * text of an account is in one, and every URL begins with PUBLIC_BASE_URL, whatever Host a request names.
 */
export function mountDiscovery(app: Hono, { config, deployment }: Pick<Deps, 'config' | 'deployment'>): void {
  const baseUrl = config.PUBLIC_BASE_URL
  const json = (value: object) => (c: Context) => answerJsonText(c, value, 200, MAX_AGE)
  const text = (type: string, value: string) => (c: Context) =>
    c.body(value, 200, { 'Content-Type': `${type}; charset=utf-8`, ...MAX_AGE })

  app.get('/.well-known/x402', json(x402Resources(baseUrl)))
  app.get('/.well-known/agent-registration.json', json(serviceRegistration(baseUrl, deployment)))
  app.get('/server.json', json(registryEntry(baseUrl)))
  app.get('/llms.txt', text('text/plain', llmsText(baseUrl)))
  app.get('/skill.md', text('text/markdown', skillText({ baseUrl, serviceName: config.SERVICE_NAME, deployment })))
}
