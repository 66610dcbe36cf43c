;; SPDX-License-Identifier: BSL-1.0
;; Says what a macOS sandbox profile permits, without cordon: guile -s sbpl.scm PROFILE < questions
;;
;; The profile is read by Scheme's own reader, so that somebody else judges its quoting. A question is a line
;; `OPERATION PATH KIND DIRECTION ADDRESS`, with `-` for what does not count and the path in hexadecimal; the answer is
;; `allow`, `deny`, or `split` where the ways to choose between two rules that match do not agree:
;;   last        the last rule wins
;;   specific    the rule with the most specific place wins; a denial wins over what is as specific
;;   named       a rule that names the operation wins over one that names its family, then the last
(use-modules (ice-9 rdelim) (srfi srfi-1))

(define operations
  '(default file-read-data file-read-metadata file-read-xattr file-test-existence file-write-data file-write-create
    file-write-unlink file-write-mode file-write-owner file-write-times file-write-flags file-write-xattr file-write-acl
    file-map-executable process-exec process-exec* process-fork process-info* signal sysctl-read mach-lookup nvram*
    iokit-get-properties system-socket network-outbound network-inbound network-bind))

(define rules '()) ; newest first: (allow? operation filter), where a filter gives its specificity or #f
(define default-action #f)
(define versions 0)

;; Questions: vectors of operation, path, kind, direction, address.
(define (path-of q) (vector-ref q 1))
(define (is-beneath? place root)
  (let ((n (string-length root)))
    (or (string=? root "/") (string=? place root)
        (and (> (string-length place) n) (string-prefix? root place) (char=? (string-ref place n) #\/)))))

(define (need-string x) (if (string? x) x (error "not a string" x)))
(define (subpath root)
  (need-string root)
  (lambda (q) (and (path-of q) (is-beneath? (path-of q) root) (string-length root))))
(define (literal place) (need-string place) (lambda (q) (and (path-of q) (string=? (path-of q) place) (string-length place))))
(define (require-all . filters)
  (lambda (q) (let ((found (map (lambda (f) (f q)) filters))) (and (every identity found) (apply max found)))))
(define (require-not filter) (lambda (q) (if (filter q) #f 0)))
(define-syntax vnode-type
  (syntax-rules () ((_ kind) (lambda (q) (and (string=? (vector-ref q 2) (symbol->string 'kind)) 0)))))
(define-syntax target (syntax-rules () ((_ who) (lambda (q) #f))))
(define-syntax socket-domain (syntax-rules () ((_ domain) (lambda (q) #f))))
(define (never name) (need-string name) (lambda (q) #f))
(define sysctl-name-prefix never)
(define global-name never)

;; Addresses: "*" or "localhost" and a port or "*"; asked for are "localhost:PORT" and "elsewhere:PORT".
(define (address direction text)
  (let* ((cut (string-index (need-string text) #\:)) (host (substring text 0 cut)) (port (substring text (1+ cut))))
    (unless (member host '("*" "localhost")) (error "host must be * or localhost in network address" text))
    (unless (or (string=? port "*") (and (string->number port) (<= 1 (string->number port) 65535)))
      (error "invalid port in network address" text))
    (lambda (q)
      (let* ((asked (vector-ref q 4)) (colon (string-index asked #\:)))
        (and (string=? (vector-ref q 3) direction) colon
             (or (string=? host "*") (string=? host (substring asked 0 colon)))
             (or (string=? port "*") (string=? port (substring asked (1+ colon))))
             (+ (if (string=? host "*") 0 1) (if (string=? port "*") 0 1)))))))
(define (unix-socket direction filter)
  (lambda (q) (and (string=? (vector-ref q 3) direction) (string=? (vector-ref q 4) "unix") (filter q))))
(define-syntax remote
  (syntax-rules (ip unix-socket) ((_ ip text) (address "out" text)) ((_ unix-socket filter) (unix-socket "out" filter))))
(define-syntax local
  (syntax-rules (ip unix-socket) ((_ ip text) (address "in" text)) ((_ unix-socket filter) (unix-socket "in" filter))))

(define (add-rule! allow? names filters)
  (for-each (lambda (name) (unless (memq name operations) (error "unbound variable" name))) names)
  (when (null? names) (error "a rule without an operation"))
  (if (memq 'default names)
      (set! default-action (if allow? 'allow 'deny))
      (for-each
       (lambda (name)
         (set! rules (cons (list allow? name (lambda (q) (if (null? filters) 0 (let ((found (filter-map (lambda (f) (f q)) filters)))
                                                                               (and (pair? found) (apply max found))))))
                           rules)))
       names)))
(define-macro (allow . words) `(add-rule! #t ',(filter symbol? words) (list ,@(filter pair? words))))
(define-macro (deny . words) `(add-rule! #f ',(filter symbol? words) (list ,@(filter pair? words))))
(define (version n) (unless (eqv? n 1) (error "version" n)) (set! versions (1+ versions)))

(define known-forms '(version allow deny))
(define (load-profile file)
  (with-input-from-file file
    (lambda ()
      (let loop ()
        (let ((form (read)))
          (unless (eof-object? form)
            (unless (and (pair? form) (memq (car form) known-forms)) (error "not a rule" form))
            (eval form (current-module))
            (loop)))))
    #:encoding "latin1")
  (unless (and (= versions 1) (eq? default-action 'deny)) (error "a profile must deny by default, once")))

(define (covers? name asked)
  (let ((n (symbol->string name)))
    (if (string-suffix? "*" n) (string-prefix? (string-drop-right n 1) (symbol->string asked)) (eq? name asked))))
(define (verdict rule) (if (car rule) 'allow 'deny))
(define (answer q)
  (let* ((hits (filter-map (lambda (rule)
                             (and (covers? (cadr rule) (vector-ref q 0))
                                  (let ((n ((caddr rule) q))) (and n (cons n rule)))))
                           rules)) ; newest first
         (best (lambda (pick) (if (null? hits) default-action (pick)))))
    (let* ((last (best (lambda () (verdict (cdar hits)))))
           (most (lambda () (apply max (map car hits))))
           (specific (best (lambda () (if (every cadr (filter (lambda (hit) (= (car hit) (most))) hits)) 'allow 'deny))))
           (named (best (lambda ()
                          (let ((exact (filter (lambda (hit) (eq? (caddr hit) (vector-ref q 0))) hits)))
                            (verdict (cdar (if (null? exact) hits exact))))))))
      (if (and (eq? last specific) (eq? last named)) last 'split))))

(define (from-hex text)
  (and (not (string=? text "-"))
       (list->string (let loop ((i 0))
                       (if (= i (string-length text)) '()
                           (cons (integer->char (string->number (substring text i (+ i 2)) 16)) (loop (+ i 2))))))))

(load-profile (cadr (command-line)))
(let loop ()
  (let ((line (read-line)))
    (unless (eof-object? line)
      (let ((words (string-split line #\space)))
        (display (answer (vector (string->symbol (car words)) (from-hex (cadr words)) (caddr words) (cadddr words)
                                 (car (cddddr words)))))
        (newline))
      (loop))))
