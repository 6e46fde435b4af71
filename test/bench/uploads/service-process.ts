import { readFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { quantileOf } from '../figures/statistics.ts'

/** Milliseconds between two looks at the service's health, whether or not the last one was answered. */
const PROBE_EVERY_MS = 20

const agent = new Agent({ keepAlive: true, maxSockets: 256, timeout: 3_000 })

/** Most memory a process ever had, and has, bytes. Linux. */
export function memoryOf(pid: number): { peakBytes: number; nowBytes: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const bytes = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]) * 1024
  return { peakBytes: bytes('VmHWM'), nowBytes: bytes('VmRSS') }
}

export interface Latency {
  p50: number
  p99: number
  max: number
  count: number
}

/** Asks for the service's health all the time until told to stop; how long each answer took, milliseconds. */
export function probeHealth(baseUrl: string): { stop(): Promise<number[]> } {
  const taken: Promise<number>[] = []
  const timer = setInterval(() => taken.push(timeOf(`${baseUrl}/api/health`)), PROBE_EVERY_MS)
  return {
    stop: async () => {
      clearInterval(timer)
      return await Promise.all(taken)
    },
  }
}

export function toLatency(sample: readonly number[]): Latency {
  return {
    p50: quantileOf(sample, 0.5),
    p99: quantileOf(sample, 0.99),
    max: Math.max(...sample),
    count: sample.length,
  }
}

/** The event loop's delay since this was asked last, milliseconds, from the service's own metrics. */
export async function loopDelayOf(baseUrl: string): Promise<{ p99: number; max: number }> {
  const text = await (await fetch(`${baseUrl}/metrics`)).text()
  const milliseconds = (name: string) =>
    Number(new RegExp(`^nodejs_eventloop_lag_${name}_seconds (\\S+)`, 'm').exec(text)?.[1]) * 1000
  return { p99: milliseconds('p99'), max: milliseconds('max') }
}

export function closeProbes(): void {
  agent.destroy()
}

function timeOf(url: string): Promise<number> {
  const startedAt = performance.now()
  return new Promise((resolve, reject) => {
    const sent = request(url, { agent }, (response) => {
      response.resume()
      response.once('end', () => {
        if (response.statusCode === 200) resolve(performance.now() - startedAt)
        else reject(new Error(`the service's health was answered ${response.statusCode}`))
      })
    })
    sent.on('error', reject)
    sent.end()
  })
}
