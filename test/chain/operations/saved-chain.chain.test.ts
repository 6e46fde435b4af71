import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startAnvil } from '../../../scripts/chain/anvil.ts'
import { deployContracts } from '../../../scripts/chain/deploy-contracts.ts'
import { devAccount } from '../../../scripts/chain/dev-accounts.ts'
import { contractsRoot } from '../../../scripts/contracts/paths.ts'
import { restoreChain } from '../../support/test-chain.ts'

test('given a transaction that is not in a block yet, when the chain is saved, then a chain that begins from it has its effect', async () => {
  const name = `pending-${process.pid}`
  const directory = mkdtempSync(join(tmpdir(), 'task-market-saved-'))
  onTestFinished(() => {
    rmSync(join(contractsRoot, 'cache', `test-chain-${name}.json`), { force: true })
    rmSync(directory, { recursive: true })
  })
  const receiver = `0x${'ab'.repeat(20)}`
  const anvil = await startAnvil()
  onTestFinished(anvil.stop)
  await restoreChain(anvil, {
    name,
    variant: '',
    deploy: async (other) => {
      const { deployment } = await deployContracts(other, { forked: false, directory, hasBonus: false })
      await other.request('evm_setAutomine', [false])
      const from = devAccount('alice').account.address
      await other.request('eth_sendTransaction', [{ from, to: receiver, value: '0x1' }])
      return deployment
    },
  })
  expect(await anvil.request('eth_getBalance', [receiver, 'latest'])).toBe('0x1')
})
