// The forms of key sets. All of them are sent to the list, with a `decision`.
import { isIdShaped } from '../../../core/crypto/identifiers.ts'
import { versionOf } from '../../../core/language/edit-conflict.ts'
import { covers, type Interface } from '../../../core/language/permissions.ts'
import { Conflict, NotFound } from '../../../core/language/service-errors.ts'
import type { StoredKeySet } from '../../../core/organizations/key-set.ts'
import type { DeliverSecret } from '../../../core/organizations/key-set-secrets.ts'
import type { KeySets } from '../../../core/organizations/key-sets.ts'
import { keySetFields, overlapField, overlapIn } from '../../rendering/fields/key-sets.ts'
import { limitIn, workspaceField } from '../../rendering/fields/workspace-choice.ts'
import { tamperedForm } from '../../rendering/forms/approval-form.ts'
import { words } from '../../rendering/forms/blocks.ts'
import type { Body, Field } from '../../rendering/forms/form-field.ts'
import { fieldRefusal, type Refusal } from '../../rendering/forms/form-page.ts'
import { field } from '../../rendering/forms/sent-values.ts'
import { addressOf, readPart } from '../../rendering/long-list.ts'
import { describePermissions } from '../../rendering/permission-list.ts'
import { signInUrl } from '../../sign-in/page.ts'
import type { PageServices } from '../../sign-in/services.ts'
import { createEditConflict } from '../edit-conflict.ts'
import { type AdminVisit, parameter } from '../gate.ts'
import { type AdminForm, confirmation } from '../routes.ts'
import { carried, formUrl, type Given, interfaceIn } from './address.ts'

const listUrl = ({ base, request }: AdminVisit, done: string) =>
  addressOf(`${base}/keys`, readPart(request), { done })

/** The key set of the page, or of the submitted form. @throws NotFound */
export const keySetOfVisit = async (
  keySets: Pick<KeySets, 'read'>,
  { request, organization }: AdminVisit,
): Promise<StoredKeySet> => {
  const id = parameter(request, 'key_set_id') || field(request, 'key_set_id')
  if (!isIdShaped(id)) throw new NotFound('key set')
  return keySets.read(organization.id, id)
}

/** The forms by their `decision`. */
export const createKeySetForms = (deps: PageServices) => {
  const { keySets, oneTimeSecrets, workspaces, browser, recentSignIn } = deps
  const editConflict = createEditConflict(deps)
  const isRecent = ({ session }: AdminVisit) => recentSignIn.isRecent(session)

  /** Makes a secret, and keeps it for one view in this browser. @returns the address of that view */
  const withSecret = async (
    { request, base }: AdminVisit,
    make: (handOver: DeliverSecret) => Promise<unknown>,
  ) => {
    let url = ''
    await make(async (made) => {
      const name = await oneTimeSecrets.store(made, browser.sessionMark(request))
      url = `${base}/keys/${made.keySetId}/secret?handover=${name}`
    })
    return url
  }

  const inTab = ({ base }: AdminVisit) =>
    ({ tab: 'keys', action: `${base}/keys`, cancelUrl: `${base}/keys` }) as const

  const aboutOne = async (visit: AdminVisit) => {
    const keySet = await keySetOfVisit(keySets, visit)
    return { keySet, form: { ...inTab(visit), hidden: { key_set_id: keySet.id } } }
  }

  const fieldsOf = async (
    visit: AdminVisit,
    generation: Interface,
    given: Given,
  ): Promise<{ fields: Field[]; given(body: Body): Given | Refusal }> => {
    const { text, catalogue, organization } = visit
    const { keyForm, permissions } = text.organization
    const names = await workspaces.names(organization.id)
    const groups = (ticked: readonly string[]) =>
      describePermissions(visit, generation, catalogue.names(generation), { ticked })
    return {
      fields: [
        ...keySetFields(text, given),
        {
          ...{ name: 'permissions', kind: 'permissions', groups, values: given.permissions },
          ...{ label: keyForm.may, hint: permissions.keyHint },
        },
        ...(generation === 'current'
          ? [workspaceField(text, keyForm.where, names, given.workspaceIds)]
          : []),
      ],
      given: (body) => {
        const workspaceIds = generation === 'legacy' ? null : limitIn(body.workspace_ids)
        if (workspaceIds && !workspaceIds.every(isIdShaped)) throw tamperedForm()
        if (workspaceIds?.length === 0 && names.length > 0)
          return fieldRefusal('workspace_ids', text.workspaces.chooseOne)
        return { ...(body as Pick<Given, 'name' | 'description' | 'permissions'>), workspaceIds }
      },
    }
  }

  const create = async (visit: AdminVisit): Promise<AdminForm> => {
    const { base, organization, cause, text } = visit
    const generation = interfaceIn(visit)
    const { keyForm } = text.organization
    const { fields, given: givenIn } = await fieldsOf(visit, generation, carried(visit))
    const ways = (['current', 'legacy'] as const).map((one) => ({
      ...keyForm.kind[one],
      href: `${base}/keys/new?interface=${one}`,
      isChosen: one === generation,
    }))
    return {
      ...inTab(visit),
      title: keyForm.createTitle,
      heading: keyForm.headings[generation],
      lead: keyForm.lead[generation],
      blocks: [{ kind: 'ways', heading: keyForm.kinds, ways }],
      fields,
      submit: keyForm.create,
      decision: 'create',
      hidden: { interface: generation },
      work: async (body) => {
        const given = givenIn(body)
        if ('errors' in given) return given
        if (!isRecent(visit)) return signInUrl(formUrl(base, generation, given), 'confirm')
        const draft = { ...given, organizationId: organization.id, interface: generation }
        return withSecret(visit, (handOver) => keySets.create(draft, cause, handOver))
      },
    }
  }

  const change = async (visit: AdminVisit): Promise<AdminForm> => {
    const { base, organization, cause, text } = visit
    const { keySet, form } = await aboutOne(visit)
    const { keyForm } = text.organization
    const { fields, given: givenIn } = await fieldsOf(visit, keySet.interface, keySet)
    return {
      ...form,
      title: keyForm.changeTitle,
      heading: keyForm.changeHeading,
      lead: keyForm.changeLead,
      fields,
      submit: keyForm.save,
      decision: 'change',
      version: versionOf(keySet),
      saved: async () => {
        const names = await workspaces.names(organization.id)
        const { clientId, interface: generation } = keySet
        const saved = await editConflict(visit, clientId, generation, keySet, names)
        return { kind: 'saved', saved }
      },
      work: async (body, { version: shown }) => {
        const given = givenIn(body)
        if ('errors' in given) return given
        const isWider = !covers(keySet.permissions, given.permissions)
        if (isWider && !isRecent(visit)) return signInUrl(`${base}/keys/${keySet.id}`, 'confirm')
        await keySets.change(keySet, given, cause, { shown })
        return listUrl(visit, 'changed')
      },
    }
  }

  const rotate = async (visit: AdminVisit): Promise<AdminForm> => {
    const { base, cause, text } = visit
    const { keySet, form } = await aboutOne(visit)
    const { keyRotate } = text.organization
    const { id, secrets } = keySet
    return {
      ...form,
      title: keyRotate.title,
      heading: keyRotate.heading(keySet.name),
      blocks: secrets.length === 0 ? [words(keyRotate.none, 'plain')] : [],
      fields: overlapField(text, secrets.length),
      submit: keyRotate.confirm,
      decision: 'rotate',
      work: async ({ retire_others_after_seconds: typed }) => {
        const after = overlapIn(typed)
        if (after === null) throw tamperedForm()
        if (!isRecent(visit)) return signInUrl(`${base}/keys/${id}/rotate`, 'confirm')
        try {
          return await withSecret(visit, (handOver) =>
            keySets.rotate(keySet, after, cause, handOver),
          )
        } catch (error) {
          if (error instanceof Conflict) return listUrl(visit, 'too_many')
          throw error
        }
      },
    }
  }

  const retire = async (visit: AdminVisit): Promise<AdminForm> => {
    const { request, cause, text } = visit
    const { keySet, form } = await aboutOne(visit)
    const said = text.organization.keyStop.retire
    const secretId = parameter(request, 'secret_id') || field(request, 'secret_id')
    const secret = keySet.secrets.find((one) => one.id === secretId)
    if (!secret && request.method === 'GET') throw new NotFound('secret')
    return {
      ...confirmation({
        ...form,
        title: said.title,
        heading: said.heading(secret?.hint ?? '', keySet.name),
        points: [[keySet.secrets.length === 1 ? said.only : said.atOnce]],
        submit: said.confirm,
        decision: 'retire',
        hidden: { ...form.hidden, secret_id: secretId },
      }),
      work: async () => {
        // The key set exists, but the secret has expired or another admin has retired it.
        if (!secret) return listUrl(visit, 'outdated')
        try {
          await keySets.retire(keySet, secretId, cause)
          return listUrl(visit, 'retired')
        } catch (error) {
          if (error instanceof NotFound) return listUrl(visit, 'outdated')
          throw error
        }
      },
    }
  }

  const remove = async (visit: AdminVisit): Promise<AdminForm> => {
    const { cause, text } = visit
    const { keySet, form } = await aboutOne(visit)
    const said = text.organization.keyStop.remove
    return {
      ...confirmation({
        ...form,
        title: said.title,
        heading: said.heading(keySet.name),
        points: [[said.atOnce], [said.forGood]],
        submit: said.confirm(keySet.name),
        decision: 'delete',
      }),
      work: async () => {
        await keySets.remove(keySet, cause)
        return listUrl(visit, 'deleted')
      },
    }
  }

  return { create, change, rotate, retire, delete: remove }
}
