{{- define "latchkey.name" -}}
{{- if contains "latchkey" .Release.Name }}{{ .Release.Name | trunc 50 | trimSuffix "-" }}{{ else }}{{ printf "%s-latchkey" .Release.Name | trunc 50 | trimSuffix "-" }}{{ end }}
{{- end }}

{{- define "latchkey.selector" -}}
app.kubernetes.io/name: latchkey
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/component: server
{{- end }}

{{- define "latchkey.labels" -}}
app.kubernetes.io/name: latchkey
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end }}

{{- define "latchkey.image" -}}
{{- with .Values.image }}
{{- if .digest }}{{ .repository }}@{{ .digest }}{{ else }}{{ .repository }}:{{ .tag | default $.Chart.AppVersion }}{{ end }}
{{- end }}
{{- end }}

{{/* Settings of the configuration map: also of the job, which runs before the map exists. */}}
{{- define "latchkey.settings" -}}
{{- range $name, $value := .Values.settings }}
{{ $name }}: {{ $value | quote }}
{{- end }}
METRICS_PORT: {{ .Values.metrics.port | quote }}
{{- range .Values.secret.keys }}
{{ . }}_FILE: /run/secrets/latchkey/{{ . }}
{{- end }}
{{- if not (hasKey .Values.settings "LATCHKEY_URL") }}
# For the command line in a pod. ISSUER leads to the ingress, which refuses the Operator API.
LATCHKEY_URL: http://127.0.0.1:3000
{{- end }}
{{- end }}

{{- define "latchkey.pod" -}}
automountServiceAccountToken: false
enableServiceLinks: false
{{- with .Values.image.pullSecrets }}
imagePullSecrets:
  {{- range . }}
  - name: {{ . }}
  {{- end }}
{{- end }}
securityContext:
  runAsNonRoot: true
  runAsUser: 1000
  runAsGroup: 1000
  # The group of the mounted secrets.
  fsGroup: 1000
  seccompProfile: { type: RuntimeDefault }
volumes:
  - name: secrets
    secret:
      secretName: {{ .Values.secret.name }}
      defaultMode: 288 # 0440
      items:
        {{- range .Values.secret.keys }}
        - { key: {{ . }}, path: {{ . }} }
        {{- end }}
{{- with .Values.nodeSelector }}
nodeSelector: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.tolerations }}
tolerations: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.affinity }}
affinity: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{- define "latchkey.container" -}}
image: {{ include "latchkey.image" . }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
volumeMounts:
  - { name: secrets, mountPath: /run/secrets/latchkey, readOnly: true }
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: { drop: [ALL] }
resources: {{- toYaml .Values.resources | nindent 2 }}
{{- end }}

{{- define "latchkey.backend" -}}
service:
  name: {{ include "latchkey.name" . }}
  port: { name: http }
{{- end }}

{{- define "latchkey.namespace" -}}
namespaceSelector:
  matchLabels:
    kubernetes.io/metadata.name: {{ . }}
{{- end }}
