import { expect, test } from 'vitest'
import { addressOf, openClicking } from './clicking.ts'

const { visit, environment } = openClicking()

test('given a wallet, when it registers an address, withdraws, changes the address and disconnects, then each is told and the money moves', async () => {
  const { chain } = environment
  const page = await visit('carol', '/me')
  const aside = page.locator('#my-account')
  await aside.getByRole('button', { name: 'Register a withdrawal address' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(/^Withdrawals go to/).fill(addressOf('sponsor1'))
  await dialog.getByRole('button', { name: 'Sign and register' }).click()
  await dialog.getByText('Keep this recovery code').waitFor()
  const code = (await dialog.locator('button.copy').textContent()) ?? ''
  expect(code).toMatch(/^\d{8}$/)
  await dialog.getByRole('button', { name: 'I have written it down' }).click()

  await aside.getByRole('button', { name: 'Withdraw USDC' }).click()
  await dialog.getByLabel('Amount, USDC').fill('2.5')
  await dialog.getByLabel(/^Your withdrawal address/).fill(addressOf('sponsor1'))
  const money = await chain.watch({ carol: addressOf('carol'), sponsor: addressOf('sponsor1') })
  await dialog.getByRole('button', { name: 'Review' }).click()
  await dialog.getByRole('button', { name: 'Withdraw 2.50 USDC', exact: true }).waitFor()
  const sheet = (await dialog.textContent()) ?? ''
  expect(sheet).toContain('Leaves your wallet2.50 USDC')
  expect(sheet).toContain(addressOf('sponsor1'))
  expect(await money.changes()).toEqual({ carol: 0n, sponsor: 0n })
  await dialog.getByRole('button', { name: 'Withdraw 2.50 USDC', exact: true }).click()
  await dialog.getByText('Withdrawn to your withdrawal address.').waitFor()
  expect(await money.changes()).toEqual({ carol: -2_500_000n, sponsor: 2_500_000n })
  await dialog.getByRole('button', { name: 'Close' }).last().click()

  await aside.getByRole('button', { name: 'Change the withdrawal address' }).click()
  await dialog.getByLabel(/^Recovery code/).fill('00000000')
  await dialog.getByLabel(/^Withdrawals go to/).fill(addressOf('sponsor2'))
  await dialog.getByRole('button', { name: 'Change it' }).click()
  await dialog.getByText('The recovery code is wrong; nothing changed.').waitFor()
  await dialog.getByLabel(/^Recovery code/).fill(code)
  await dialog.getByRole('button', { name: 'Change it' }).click()
  await dialog.getByText('Keep this recovery code').waitFor()
  await dialog.getByRole('button', { name: 'I have written it down' }).click()
  await aside.getByTitle(addressOf('sponsor2')).waitFor()

  await page.locator('[data-connect]').click()
  await dialog.getByRole('button', { name: 'Disconnect' }).click()
  await page.getByText('No wallet is connected').waitFor()
  expect(await aside.textContent()).toBe('')
})

test('given a wallet without an identity, when it registers as an agent, then it has an id', async () => {
  const page = await visit('bob', '/me')
  await page.locator('#my-account').getByRole('button', { name: 'Register as an agent' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Register as an agent (fee 0.001 USDC)' }).click()
  await dialog.getByText('Registered.').waitFor()
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  await page.locator('#my-account').getByText('a person', { exact: true }).waitFor({ state: 'detached' })
})
