// One instance as several processes. A primary runs the workers, each of which is a whole server.

/** A question, which has a name, or the answer to the one with this id. */
interface Message {
  id: number
  ask?: string
  value?: unknown
  fault?: string
}

const answerTimeout = 3000 // ms

/**
 * Questions and answers between two processes.
 * @param peer the other end
 * @param answers the questions that this end answers, by name
 * @returns a function that asks the other end and rejects without an answer in time
 */
export const createDialogue = (
  peer: { send(message: object): void; listen(receive: (message: unknown) => void): void },
  answers: Readonly<Record<string, () => Promise<unknown>>>,
): ((question: string) => Promise<unknown>) => {
  const waiting = new Map<number, (answer: Message) => void>()
  let asked = 0

  const reply = async (ask: string, id: number) => {
    try {
      peer.send({ id, value: await answers[ask]?.() })
    } catch (error) {
      peer.send({ id, fault: (error as Error).message })
    }
  }

  peer.listen((received) => {
    const message: Message = Object(received)
    if (message.ask === undefined) waiting.get(message.id)?.(message)
    else void reply(message.ask, message.id)
  })

  return (ask) =>
    new Promise((resolve, reject) => {
      const id = asked++
      const timer = setTimeout(() => {
        waiting.delete(id)
        reject(new Error(`no answer to ${ask}`))
      }, answerTimeout)
      waiting.set(id, ({ value, fault }) => {
        waiting.delete(id)
        clearTimeout(timer)
        if (fault === undefined) resolve(value)
        else reject(new Error(fault))
      })
      peer.send({ ask, id })
    })
}
