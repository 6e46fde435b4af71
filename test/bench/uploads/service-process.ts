import { readFileSync } from 'node:fs'
import { Agent, request } from 'node:http'

/** Milliseconds between two looks at the service's health, whether or not the last one was answered. */
const PROBE_EVERY_MS = 20

const agent = new Agent({ keepAlive: true, maxSockets: 256, timeout: 3_000 })

/** Most memory a process ever had, bytes. Linux. */
export function peakMemoryOf(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(/^VmHWM:\s+(\d+) kB/m.exec(status)?.[1]) * 1024
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

/** The 99th percentile of the event loop's delay since this was asked last, milliseconds, from the service's own metrics. */
export async function loopDelayOf(baseUrl: string): Promise<number> {
  const text = await (await fetch(`${baseUrl}/metrics`)).text()
  return Number(/^nodejs_eventloop_lag_p99_seconds (\S+)/m.exec(text)?.[1]) * 1000
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
