import { expect, test } from 'vitest'
import { withExportSession } from '../../../ops/export/export-session.ts'
import { openExportChain } from '../../../ops/export/finality.ts'

const refusedFor = (setting: string) => ({
  problems: [{ setting, problem: expect.stringMatching(/ECONNREFUSED|fetch/) }],
})

test('given a standby or a node that does not answer, then the setting is named', async () => {
  const url = 'postgres://market_exporter:secret@127.0.0.1:1/market'
  const { signal } = new AbortController()
  const session = withExportSession({ url, waits: false, signal }, async () => {})
  await expect(session).rejects.toMatchObject(refusedFor('EXPORTER_DATABASE_URL'))
  await expect(openExportChain(['http://127.0.0.1:1'])).rejects.toMatchObject(refusedFor('RPC_URL'))
})
