import type { Command } from 'commander'
import { deviceShapes } from '../http/command-shapes.ts'
import { dataOf } from './http-answer.ts'
import { CliError, exits, type Io } from './io.ts'
import { printRecord } from './report.ts'
import { openClient } from './session.ts'
import type { Options } from './task-writes.ts'

/**
 * Adds `devices ...`, the commands for devices (machines that act for a wallet). The token of a device is read from an
 * environment variable, and not from an argument.
 */
export function addDeviceCommands(program: Command, io: Io): void {
  const devices = program.command('devices').description('devices that act for a wallet')
  devices
    .command('register')
    .description('register this machine; its token is shown once')
    .action(async (_: Options, self: Command) => {
      const options = self.optsWithGlobals()
      const { http, context } = await openClient(io, options, { needsAccount: true })
      const walletAddress = context.account?.address
      if (walletAddress === undefined) throw new CliError('There is no wallet.', exits.usage)
      print(options, context.url, await http.POST('/api/devices', { body: { walletAddress } }), 'register')
    })
  devices
    .command('status <deviceId>')
    .description('whose it is, and whether it may act; TASK_MARKET_DEVICE_TOKEN')
    .action(async (deviceId: string, _: Options, self: Command) => {
      const options = self.optsWithGlobals()
      const { http, context } = await openClient(io, options)
      const params = { path: { deviceId }, header: token() }
      print(options, context.url, await http.GET('/api/devices/{deviceId}/status', { params }), 'status')
    })
  devices
    .command('key <deviceId>')
    .description('its key to encrypt with; TASK_MARKET_DEVICE_TOKEN')
    .action(async (deviceId: string, _: Options, self: Command) => {
      const options = self.optsWithGlobals()
      const { http, context } = await openClient(io, options)
      const params = { path: { deviceId }, header: token() }
      print(options, context.url, await http.POST('/api/devices/{deviceId}/key', { params, body: {} }), 'key')
    })
  devices
    .command('end <deviceId>')
    .description('end it for good; TASK_MARKET_DEVICE_TOKEN')
    .action(async (deviceId: string, _: Options, self: Command) => {
      const options = self.optsWithGlobals()
      const { http, context } = await openClient(io, options)
      const params = { path: { deviceId }, header: token() }
      print(options, context.url, await http.DELETE('/api/devices/{deviceId}', { params }), 'end')
    })

  function token() {
    const deviceToken = io.env.TASK_MARKET_DEVICE_TOKEN
    if (deviceToken === undefined)
      throw new CliError('Give the token of the device: TASK_MARKET_DEVICE_TOKEN.', exits.usage)
    return { 'X-Service-Api-Token': deviceToken }
  }

  function print(
    options: Options,
    url: string,
    answer: Parameters<typeof dataOf>[0],
    of: keyof typeof deviceShapes,
  ): void {
    const shape = deviceShapes[of]
    const data = dataOf(answer, { url: `${url}/api/devices`, shape, refused: 'The device was refused:' })
    printRecord(io, data, { json: options.json })
  }
}
