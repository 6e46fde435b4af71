import { expect, test } from 'vitest'
import { readConfig } from '../../../api/config.ts'
import { secretsOf } from '../../../api/observability/secrets-of.ts'
import { type Setting, table } from '../../../settings/table.ts'

const word = (name: string) => `hidden-${name.toLowerCase().replaceAll('_', '-')}-of-the-operator`
/** What another form than a word of its own needs. */
const forms: Record<string, string> = {
  RELAYER_KEYS: `0x${'12'.repeat(32)}`,
  RELAYER_SIGNERS: `web3signer:https://user:${word('RELAYER_SIGNERS')}@signer.internal/0x${'11'.repeat(20)}`,
  RPC_URL: `https://node.example/${word('RPC_URL')}`,
  OPERATOR_WEBHOOK_URL: `https://pager.example/${word('OPERATOR_WEBHOOK_URL')}`,
  OPERATOR_WEBHOOK_SECRET: `whsec_${'Ab'.repeat(20)}`,
  OTEL_EXPORTER_OTLP_HEADERS: `authorization=${word('OTEL_EXPORTER_OTLP_HEADERS')}`,
}
const secrets = Object.entries<Setting>(table).flatMap(([name, { isSecret, readBy }]) =>
  isSecret && readBy.includes('api') ? [name] : [],
)

test('given each secret of the table, then no log shows it', () => {
  const textOf = (name: string) =>
    forms[name] ?? (/_URLS?$/.test(name) ? `postgres://login:${word(name)}@db.internal/market` : word(name))
  const hidden = secretsOf(readConfig(Object.fromEntries(secrets.map((name) => [name, textOf(name)]))))
  const secretPartOf = (name: string) =>
    textOf(name).includes(word(name)) ? word(name) : textOf(name).replace('0x', '')
  expect(secrets.length).toBeGreaterThan(10)
  expect(secrets.filter((name) => !hidden.includes(secretPartOf(name)))).toEqual([])
})
